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
    api(platform(libs.awssdk.bom))
    testImplementation(platform(libs.junit.bom))
    api(project(":outbox-core"))
    api(libs.jspecify)
    api(libs.slf4j.api)
    api(libs.dynamodb) {
        exclude(group = "software.amazon.awssdk", module = "apache-client")
        exclude(group = "software.amazon.awssdk", module = "apache5-client")
        exclude(group = "software.amazon.awssdk", module = "netty-nio-client")
    }
    api(libs.dynamodb.enhanced) {
        exclude(group = "software.amazon.awssdk", module = "apache-client")
        exclude(group = "software.amazon.awssdk", module = "apache5-client")
        exclude(group = "software.amazon.awssdk", module = "netty-nio-client")
    }
    testImplementation(libs.dynamodblocal)
    testImplementation(project(":test-listener"))
    testImplementation(project(":test-support"))
    testImplementation(project(":outbox-testkit"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.awaitility)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.url.connection.client)
}

tasks.jar {
    manifest {
        attributes("Automatic-Module-Name" to "dev.outbox.dynamodb")
    }
}

publishing {
    publications {
        create<MavenPublication>("maven") {
            from(components["java"])
        }
    }
}
