// Generated from the POMs: change those, then write this anew as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    implementation(platform(libs.junit.bom))
    implementation(libs.jspecify)
    implementation(libs.junit.platform.launcher)
    testImplementation(libs.assertj.core)
    testImplementation(libs.junit.jupiter)
}
