// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    testImplementation(platform(libs.junit.bom))
    implementation(libs.maven.model)
    implementation(libs.jspecify)
    testImplementation(libs.ktlint.cli)
    testImplementation(project(":outbox-core"))
    testImplementation(project(":test-listener"))
    testImplementation(libs.assertj.core)
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
    dependsOn(":architecture-tests:testClasses")
    dependsOn(":documentation-tests:testClasses")
    dependsOn(":fault-injection:testClasses")
    // Only Maven relocates jmustache, which this test checks.
    exclude("**/RelocationTest.class")
}
