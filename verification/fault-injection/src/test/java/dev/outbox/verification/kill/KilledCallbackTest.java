package dev.outbox.verification.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outbox.Outbox;
import dev.outbox.callback.CallbackVerifier;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.State;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.testkit.RecordingTransport;
import dev.outbox.testsupport.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of a whole process, between a receiver's 200 and the commit of it. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledCallbackTest {

  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<Boolean> genuine = new CopyOnWriteArrayList<>();
  private final CallbackVerifier verifier = CallbackVerifier.of(CallbackVictim.SECRET);
  private final HttpServer receiver;

  KilledCallbackTest() throws IOException {
    this.receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void open() {
    receiver.createContext("/", this::receive);
    receiver.start();
  }

  @AfterEach
  void close() {
    receiver.stop(0);
  }

  @Test
  void theReceiverGetsARepeatWithTheSameKeyAndTheEmailEndsAcknowledged(@TempDir Path folder)
      throws Exception {
    Path database = folder.resolve("outbox");
    EmailId id = killedAfterTheAnswer(database);
    assertThat(keys).as("calls before the kill").hasSize(1);

    try (MySqlStore store = MySqlStore.embedded(database)) {
      assertThat(summary(store, id).state()).isEqualTo(State.CALLING_SENT_CALLBACK);
      assertThat(summary(store, id).owner()).as("the dead node").isNotNull();
      try (Outbox next =
          Outbox.builder(store)
              .transport(new RecordingTransport())
              .lease(new LeaseSettings(Duration.ofMillis(100), Duration.ofSeconds(1)))
              .callback(CallbackVictim.http())
              .build()
              .start()) {
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> next.find(id).orElseThrow().summary().archived());
      }
      assertThat(summary(store, id).state()).isEqualTo(State.SENT_ACKNOWLEDGED);
    }
    assertThat(keys).containsExactly(id + "-SENT-0", id + "-SENT-0");
    assertThat(bodies.get(1)).isEqualTo(bodies.get(0));
    assertThat(genuine).as("signatures that verify").containsExactly(true, true);
  }

  /** Returns the email of a process that had its receiver's answer when it was killed. */
  private EmailId killedAfterTheAnswer(Path database) throws IOException, InterruptedException {
    Process victim =
        new ProcessBuilder(
                JavaCommand.of(
                    List.of(),
                    CallbackVictim.class,
                    database.toString(),
                    "http://127.0.0.1:" + receiver.getAddress().getPort() + "/told"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = victim.inputReader(StandardCharsets.UTF_8)) {
      Map<String, String> said = new HashMap<>();
      while (said.size() < 2) {
        String line = lines.readLine();
        assertThat(line).as("what the process says, after %s", said).isNotNull();
        String[] words = line.split(" ", 2);
        said.put(words[0], words[1]);
      }
      assertThat(said).containsEntry("answered", "Acknowledged");
      return EmailId.parse(said.getOrDefault("stored", "nothing"));
    } finally {
      victim.destroyForcibly();
      assertThat(victim.waitFor()).as("killed by signal 9").isEqualTo(128 + 9);
    }
  }

  private static EmailSummary summary(MySqlStore store, EmailId id) {
    return store.find(id).orElseThrow().summary();
  }

  private void receive(HttpExchange call) throws IOException {
    try (call) {
      byte[] body = call.getRequestBody().readAllBytes();
      String key = call.getRequestHeaders().getFirst("Idempotency-Key");
      String signature = call.getRequestHeaders().getFirst("Outbox-Signature");
      keys.add(key);
      bodies.add(new String(body, StandardCharsets.UTF_8));
      genuine.add(verifier.verify(key, signature, body));
      call.sendResponseHeaders(200, -1);
    }
  }
}
