rootProject.name = "host-project"
