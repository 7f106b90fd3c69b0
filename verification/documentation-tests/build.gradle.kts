// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    testImplementation(platform(libs.junit.bom))
    implementation(platform(project(":outbox-bom")))
    implementation(project(":outbox-core"))
    implementation(project(":outbox-javalin"))
    implementation(project(":outbox-smtp"))
    implementation(project(":outbox-store-dynamodb"))
    implementation(project(":outbox-store-mysql"))
    implementation(project(":outbox-testkit"))
    testImplementation(project(":build-tests"))
    testImplementation(project(":test-listener"))
    testImplementation(libs.maven.model)
    testImplementation(libs.assertj.core)
    testImplementation(libs.jspecify)
    testImplementation(libs.junit.jupiter)
}

tasks.withType<Test>().configureEach {
    // These tests read files of all modules, which are not their inputs.
    outputs.upToDateWhen { false }
    dependsOn(":outbox-core:testClasses")
    dependsOn(":outbox-testkit:testClasses")
    dependsOn(":outbox-store-dynamodb:testClasses")
    dependsOn(":outbox-smtp:testClasses")
    dependsOn(":outbox-store-mysql:testClasses")
    dependsOn(":outbox-javalin:testClasses")
    dependsOn(":benchmarks:testClasses")
    dependsOn(":examples:testClasses")
    dependsOn(":test-listener:testClasses")
    dependsOn(":test-support:testClasses")
    dependsOn(":build-tests:testClasses")
    dependsOn(":architecture-tests:testClasses")
    dependsOn(":fault-injection:testClasses")
}
