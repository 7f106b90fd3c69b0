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
    api(libs.jackson.databind)
    api(libs.guava)
    api(project(":outbox-core"))
    api(libs.javalin)
    api(libs.jspecify)
    api(libs.slf4j.api)
    testImplementation(project(":test-listener"))
    testImplementation(project(":test-support"))
    testImplementation(project(":outbox-testkit"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.awaitility)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.slf4j.jdk14)
}

tasks.withType<Test>().configureEach {
    systemProperty("java.util.logging.config.file", "$projectDir/src/test/resources/logging.properties")
}

tasks.jar {
    manifest {
        attributes("Automatic-Module-Name" to "dev.outbox.javalin")
    }
}

publishing {
    publications {
        create<MavenPublication>("maven") {
            from(components["java"])
        }
    }
}
