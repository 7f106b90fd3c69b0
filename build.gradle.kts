// Generated from the POMs: change those, then write this anew as CONTRIBUTING.md says.
// Maven is what is exercised: the checks of format, nullness, architecture and documentation are there.

allprojects {
    group = "dev.outbox"
    version = "0.1.0-SNAPSHOT"
}

subprojects {
    plugins.withType<JavaPlugin> {
        tasks.withType<JavaCompile>().configureEach {
            options.encoding = "UTF-8"
            options.release = 17
        }
        tasks.withType<Test>().configureEach {
            useJUnitPlatform()
            // As with Maven, nested classes run with the class around them, not by themselves.
            exclude("**/*\$*")
        }
    }
    tasks.withType<AbstractArchiveTask>().configureEach {
        isPreserveFileTimestamps = false
        isReproducibleFileOrder = true
    }
}
