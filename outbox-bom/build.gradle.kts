// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

plugins {
    `java-platform`
    `maven-publish`
}

dependencies {
    constraints {
        api(project(":outbox-core"))
        api(project(":outbox-store-dynamodb"))
        api(project(":outbox-javalin"))
        api(project(":outbox-smtp"))
        api(project(":outbox-store-mysql"))
        api(project(":outbox-testkit"))
    }
}

publishing {
    publications {
        create<MavenPublication>("maven") {
            from(components["javaPlatform"])
        }
    }
}
