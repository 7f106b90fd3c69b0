// Generated from the POMs: change those, then write this anew as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    testImplementation(platform(libs.junit.bom))
    implementation(project(":outbox-core"))
    implementation(project(":outbox-smtp"))
    implementation(libs.angus.mail)
    implementation(libs.jspecify)
    testImplementation(project(":no-skipped-tests"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.junit.jupiter)
}
