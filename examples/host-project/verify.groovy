// The build of this repository runs this after the project: what a user would see is there.
String log = new File(basedir, 'build.log').text
assert log.contains('Tests run: 3, Failures: 0, Errors: 0, Skipped: 0')
assert log.contains('a new email: true')
assert log =~ /(?s)\nACCEPTED\R.*\nSENT\R/

File[] sent = new File(basedir, 'target/first/sent').listFiles()
assert sent.length == 1
assert sent[0].text.contains('Subject: Order 42')

// Only what was just built may be tested, and it came by the ordinary way of a dependency.
assert new File(localRepositoryPath, 'dev/outbox/outbox-bom').isDirectory()
assert new File(localRepositoryPath, 'dev/outbox/outbox-core').isDirectory()
