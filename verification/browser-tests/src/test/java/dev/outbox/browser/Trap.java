package dev.outbox.browser;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A foreign server, and an email that does all it can to make a browser call there. */
final class Trap implements AutoCloseable {

  private final HttpServer server;
  private final Set<String> visited = ConcurrentHashMap.newKeySet();

  Trap() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/unguarded",
        exchange -> {
          byte[] page = html().getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.createContext(
        "/",
        exchange -> {
          visited.add(exchange.getRequestURI().getPath());
          exchange.getResponseHeaders().add("Access-Control-Allow-Origin", "*");
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
  }

  /** Returns what was asked for here. */
  Set<String> visited() {
    return Set.copyOf(visited);
  }

  /** Returns a page with the same html, and nothing that holds it back. */
  String unguarded() {
    return there() + "unguarded";
  }

  private String there() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  private String html() {
    return """
        <link rel='stylesheet' href='THERE/style.css'>
        <style>@import url('THERE/import.css'); body { background: url('THERE/back.png') }</style>
        <p id='words'>Hello from a stranger</p>
        <img src='THERE/open.png' alt=''>
        <img src='data:x' onerror="document.title='caught'; fetch('THERE/error')" alt=''>
        <iframe src='THERE/frame'></iframe>
        <form action='THERE/form' id='f'></form>
        <script>document.title = 'caught'; fetch('THERE/script'); top.document.title = 'caught';</script>
        <meta http-equiv='refresh' content='0; url=THERE/refresh'>"""
        .replace("THERE/", there());
  }

  String email() {
    String escaped = html().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return "{\"to\": \"ada@example.com\", \"subject\": \"You have won\", \"html\": \""
        + escaped
        + "\"}";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
