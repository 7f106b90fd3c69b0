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
    api(libs.java.uuid.generator)
    api(libs.guava)
    api(libs.jmustache)
    api(libs.jspecify)
    api(libs.slf4j.api)
    testImplementation(project(":test-listener"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.junit.jupiter)
}

tasks.jar {
    manifest {
        attributes("Automatic-Module-Name" to "dev.outbox")
    }
}

publishing {
    publications {
        create<MavenPublication>("maven") {
            from(components["java"])
        }
    }
}
