// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

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
