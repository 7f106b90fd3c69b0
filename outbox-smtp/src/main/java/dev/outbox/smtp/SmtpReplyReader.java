package dev.outbox.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads a relay's replies from one socket, each byte as a character. Used by one thread. */
final class SmtpReplyReader {

  /** A relay whose reply has no end must not fill the memory. */
  private static final int LONGEST_REPLY = 64 << 10;

  private final Socket socket;
  private final InputStream in;
  private final byte[] buffer = new byte[2048];
  private int next;
  private int end;

  SmtpReplyReader(Socket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
  }

  boolean reads(Socket other) {
    return socket == other;
  }

  /**
   * Reads one reply.
   *
   * @return its lines, each with a line feed at its end; null if the connection ended before it
   */
  @Nullable String read() throws IOException {
    StringBuilder reply = new StringBuilder(100);
    int line;
    do {
      line = reply.length();
      if (!readLine(reply)) {
        return null;
      }
      reply.append('\n');
    } while (reply.length() > line + 4 && reply.charAt(line + 3) == '-');
    return reply.toString();
  }

  /** Adds a line without its end; returns false if the connection ended before it. */
  private boolean readLine(StringBuilder reply) throws IOException {
    int line = reply.length();
    boolean complete = false;
    while (!complete) {
      if (next == end && !fill()) {
        return reply.length() > line;
      }
      int stop = next;
      while (stop < end && buffer[stop] != '\n') {
        stop++;
      }
      reply.append(new String(buffer, next, stop - next, StandardCharsets.ISO_8859_1));
      complete = stop < end;
      next = complete ? stop + 1 : stop;
      if (reply.length() > LONGEST_REPLY) {
        throw new IOException("a reply of more than " + LONGEST_REPLY + " bytes");
      }
    }
    while (reply.length() > line && reply.charAt(reply.length() - 1) == '\r') {
      reply.setLength(reply.length() - 1);
    }
    return true;
  }

  private boolean fill() throws IOException {
    next = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }
}
