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
    api(libs.bucket4j.jdk17.core)
    api(project(":outbox-core"))
    api(libs.angus.mail)
    api(libs.jspecify)
    api(libs.slf4j.api)
    testImplementation(libs.greenmail) {
        exclude(group = "org.eclipse.angus", module = "jakarta.mail")
        exclude(group = "junit", module = "junit")
    }
    testImplementation(project(":test-listener"))
    testImplementation(project(":outbox-testkit"))
    testImplementation(libs.apache.mime4j.dom)
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
        attributes("Automatic-Module-Name" to "dev.outbox.smtp")
    }
}

publishing {
    publications {
        create<MavenPublication>("maven") {
            from(components["java"])
        }
    }
}
