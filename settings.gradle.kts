// Generated from the POMs: change those, then generate this again as CONTRIBUTING.md says.

rootProject.name = "outbox"

dependencyResolutionManagement {
    repositoriesMode = RepositoriesMode.FAIL_ON_PROJECT_REPOS
    repositories {
        mavenCentral()
    }
}

include(
    "no-skipped-tests",
    "outbox-core",
    "outbox-testkit",
    "outbox-store-dynamodb",
    "outbox-smtp",
    "outbox-store-mysql",
    "outbox-javalin",
    "outbox-bom",
    "benchmarks",
    "examples",
    "verification",
)
