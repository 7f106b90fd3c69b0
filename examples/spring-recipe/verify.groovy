// The build of this repository runs this after the project: all tests ran with both versions of Spring.
['7.0', '6.2'].each { version ->
    File[] builds = new File(basedir, 'target').listFiles({ it.name.startsWith("spring-$version.") } as FileFilter)
    assert builds.length == 1
    File[] reports = new File(builds[0], 'surefire-reports').listFiles({ it.name.endsWith('.txt') } as FileFilter)
    assert reports.length == new File(basedir, 'src/test/java/com/example/shop').list().count { it.endsWith('Test.java') }
    reports.each { assert it.text =~ /Tests run: [1-9]\d*, Failures: 0, Errors: 0, Skipped: 0/ }
}

// Only what was just built may be tested.
assert new File(localRepositoryPath, 'dev/outbox/outbox-store-mysql').isDirectory()
