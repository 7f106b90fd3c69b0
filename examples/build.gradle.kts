// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    implementation(platform(libs.awssdk.bom))
    testImplementation(platform(libs.junit.bom))
    implementation(project(":outbox-core"))
    implementation(project(":outbox-store-dynamodb"))
    implementation(project(":outbox-store-mysql"))
    implementation(project(":outbox-javalin"))
    implementation(project(":outbox-smtp"))
    implementation(project(":outbox-testkit"))
    implementation(libs.javalin)
    runtimeOnly(libs.h2)
    implementation(libs.jspecify)
    implementation(libs.url.connection.client)
    compileOnly(libs.dynamodblocal)
    testImplementation(libs.dynamodblocal)
    runtimeOnly(libs.slf4j.simple)
    testImplementation(project(":test-listener"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.awaitility)
    testImplementation(libs.flyway.core)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.spring.jdbc)
}
