// Generated from the POMs: change those, then write this anew as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    testImplementation(platform(libs.junit.bom))
    implementation(platform(project(":outbox-bom")))
    implementation(project(":outbox-core"))
    implementation(project(":outbox-store-dynamodb"))
    implementation(project(":outbox-javalin"))
    implementation(project(":outbox-smtp"))
    implementation(project(":outbox-store-mysql"))
    implementation(project(":outbox-testkit"))
    implementation(libs.maven.model)
    implementation(libs.jspecify)
    testImplementation(libs.h2)
    testImplementation(libs.ktlint.cli)
    testImplementation(libs.archunit)
    testImplementation(project(":no-skipped-tests"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.awaitility)
    testImplementation(libs.junit.jupiter)
}
