package dev.outbox.javalin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** A POST of JSON over a plain socket: its answer can be read before all of it is sent. */
final class RawPost implements AutoCloseable {

  private static final String END_OF_HEADERS = "\r\n\r\n";

  private final Socket socket;
  private final boolean isChunked;

  /**
   * Sends the headers.
   *
   * @param path below the plugin's own
   * @param length how many bytes the headers announce; below zero to announce none, and send chunks
   */
  RawPost(int port, String path, long length, Duration patience) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) patience.toMillis());
    isChunked = length < 0;
    write(
        ("POST /outbox%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
                + "%s\r\nConnection: close"
                + END_OF_HEADERS)
            .formatted(
                path,
                port,
                isChunked ? "Transfer-Encoding: chunked" : "Content-Length: " + length));
  }

  /** Sends a part of the body, in ASCII. */
  void send(String part) throws IOException {
    write(isChunked ? "%x\r\n%s\r\n".formatted(part.length(), part) : part);
  }

  private void write(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Waits for the answer, whether all of the request was sent or not. */
  Reply reply() throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith(END_OF_HEADERS)) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("no answer: " + head.toString(StandardCharsets.US_ASCII));
      }
      head.write(next);
    }
    String headers = head.toString(StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    int status = Integer.parseInt(headers.split(" ", 3)[1]);
    int length = Integer.parseInt(headers.split("\r\ncontent-length: ", 2)[1].split("\r\n", 2)[0]);
    return new Reply(status, Answer.parse(in.readNBytes(length)));
  }

  /** Returns what the server sends after the answer, before it closes the connection. */
  byte[] rest() throws IOException {
    return socket.getInputStream().readAllBytes();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /**
   * An answer.
   *
   * @param status its HTTP status
   * @param json its body
   */
  record Reply(int status, JsonNode json) {}
}
