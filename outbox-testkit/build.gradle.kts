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
    compileOnly(platform(libs.junit.bom))
    testImplementation(platform(libs.junit.bom))
    api(project(":outbox-core"))
    compileOnly(libs.assertj.core)
    testImplementation(libs.assertj.core)
    api(libs.jspecify)
    compileOnly(libs.junit.jupiter.api)
    testImplementation(libs.junit.jupiter.api)
    compileOnly(libs.junit.jupiter.params)
    testImplementation(libs.junit.jupiter.params)
    testImplementation(project(":test-listener"))
    testImplementation(project(":test-support"))
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.guava)
    testImplementation(libs.awaitility)
    testImplementation(libs.slf4j.jdk14)
}

tasks.withType<Test>().configureEach {
    systemProperty("java.util.logging.config.file", "$projectDir/src/test/resources/logging.properties")
}

tasks.jar {
    manifest {
        attributes("Automatic-Module-Name" to "dev.outbox.testkit")
    }
}

publishing {
    publications {
        create<MavenPublication>("maven") {
            from(components["java"])
        }
    }
}
