// The same project for Gradle: gradle run, gradle test.

plugins {
    application
}

repositories {
    mavenLocal() // until there is a release
    mavenCentral()
}

dependencies {
    implementation(platform("dev.outbox:outbox-bom:0.1.0-SNAPSHOT"))
    implementation("dev.outbox:outbox-store-mysql")
    implementation("dev.outbox:outbox-smtp")
    runtimeOnly("com.h2database:h2:2.5.252") // or mariadb-java-client, or mysql-connector-j
    testImplementation("dev.outbox:outbox-testkit")
    testImplementation("org.junit.jupiter:junit-jupiter:6.1.3")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher:6.1.3")
    runtimeOnly("org.slf4j:slf4j-simple:2.0.20") // where the log goes is the host's choice
}

tasks.withType<JavaCompile>().configureEach {
    options.encoding = "UTF-8"
    options.release = 17
}

tasks.withType<Test>().configureEach {
    useJUnitPlatform()
}

application {
    mainClass = "com.example.shop.FirstMail"
}
