package dev.outbox.mysql;

import dev.outbox.email.EmailId;
import dev.outbox.testsupport.ConnectionAcceptor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Hears from other processes what they have delivered, one line for each delivery. */
final class DeliveryPost implements AutoCloseable {

  private final ConnectionAcceptor server;
  private final ConcurrentLinkedQueue<Delivered> delivered = new ConcurrentLinkedQueue<>();
  private final Set<String> nodes = ConcurrentHashMap.newKeySet();

  /** One delivery, and the name of the node that made it. */
  record Delivered(String node, EmailId id) {}

  DeliveryPost() {
    server = new ConnectionAcceptor(this::read);
  }

  int port() {
    return server.port();
  }

  /** Returns the names of all nodes that have said hello. */
  Set<String> nodes() {
    return Set.copyOf(nodes);
  }

  List<Delivered> delivered() {
    return List.copyOf(delivered);
  }

  List<EmailId> deliveredBy(String node) {
    return delivered.stream().filter(each -> each.node.equals(node)).map(Delivered::id).toList();
  }

  private void read(Socket socket) {
    try (socket;
        var lines =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
      String node = lines.readLine();
      if (node == null) {
        return;
      }
      nodes.add(node);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        delivered.add(new Delivered(node, EmailId.parse(line)));
      }
    } catch (IOException e) {
      // The node was killed; what it said before has been read.
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
