// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    testImplementation(platform(libs.junit.bom))
    testImplementation(libs.archunit)
    testImplementation(project(":build-tests"))
    implementation(platform(project(":outbox-bom")))
    testImplementation(project(":outbox-core"))
    testImplementation(project(":outbox-javalin"))
    testImplementation(project(":outbox-smtp"))
    testImplementation(project(":outbox-store-dynamodb"))
    testImplementation(project(":outbox-store-mysql"))
    testImplementation(project(":outbox-testkit"))
    testImplementation(project(":test-listener"))
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
    dependsOn(":documentation-tests:testClasses")
    dependsOn(":fault-injection:testClasses")
}
