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

// The core has its own copy of jmustache: a host's class path does not have the library.
String run = new File(basedir, 'target/surefire-reports/TEST-com.example.shop.CheckoutTest.xml').text
assert run =~ /surefire.test.class.path" value="[^"]*outbox-core-/
assert !run.contains('jmustache')
List<File> poms = []
new File(localRepositoryPath, 'dev/outbox/outbox-core').eachFileRecurse { if (it.name.endsWith('.pom')) poms << it }
assert poms.size() == 1
assert poms[0].text.contains('<artifactId>jackson-databind</artifactId>')
assert !poms[0].text.contains('<artifactId>jmustache</artifactId>')
