// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

rootProject.name = "outbox"

dependencyResolutionManagement {
    repositoriesMode = RepositoriesMode.FAIL_ON_PROJECT_REPOS
    repositories {
        mavenCentral()
    }
}

include(
    "outbox-core",
    "outbox-testkit",
    "outbox-store-dynamodb",
    "outbox-smtp",
    "outbox-store-mysql",
    "outbox-javalin",
    "outbox-bom",
    "benchmarks",
    "examples",
    "test-listener",
    "test-support",
    "build-tests",
    "architecture-tests",
    "documentation-tests",
    "fault-injection",
)

project(":test-listener").projectDir = file("verification/test-listener")
project(":test-support").projectDir = file("verification/test-support")
project(":build-tests").projectDir = file("verification/build-tests")
project(":architecture-tests").projectDir = file("verification/architecture-tests")
project(":documentation-tests").projectDir = file("verification/documentation-tests")
project(":fault-injection").projectDir = file("verification/fault-injection")
