package dev.outbox.mysql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A way to a server on which one connection is lost at a moment that a test chooses. */
final class CuttingProxy implements AutoCloseable {

  private final int target;
  private final ServerSocket server;
  private final AtomicReference<@Nullable Cut> next = new AtomicReference<>();

  /** Where a connection is lost; in statements, case does not matter. */
  private record Cut(String words, boolean afterwards, Runnable meanwhile) {

    Cut {
      words = words.toUpperCase(Locale.ROOT);
    }
  }

  CuttingProxy(int target) {
    this.target = target;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    background(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Loses the next connection that sends these words before the server hears of them. */
  void cutBefore(String words) {
    next.set(new Cut(words, false, () -> {}));
  }

  /** Loses the answer to these words, and the connection with it, once the server has given it. */
  void cutAnswerTo(String words) {
    cutAnswerTo(words, () -> {});
  }

  /** Does the same, and has something happen before the client notices. */
  void cutAnswerTo(String words, Runnable meanwhile) {
    next.set(new Cut(words, true, meanwhile));
  }

  /** Returns whether the last cut has been made. */
  boolean hasCut() {
    return next.get() == null;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Socket behind = new Socket(InetAddress.getLoopbackAddress(), target);
        AtomicReference<@Nullable Cut> made = new AtomicReference<>();
        background(() -> pump(client, behind, words -> passes(words, made)));
        background(() -> pump(behind, client, words -> answers(made.get())));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static boolean answers(@Nullable Cut made) {
    if (made != null) {
      made.meanwhile.run();
    }
    return made == null;
  }

  private boolean passes(String words, AtomicReference<@Nullable Cut> made) {
    Cut cut = next.get();
    if (cut == null
        || !words.toUpperCase(Locale.ROOT).contains(cut.words)
        || !next.compareAndSet(cut, null)) {
      return true;
    }
    made.set(cut);
    return cut.afterwards;
  }

  private static void pump(Socket from, Socket to, Gate gate) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
        byte[] heard = Arrays.copyOf(buffer, size);
        if (!gate.passes(new String(heard, StandardCharsets.ISO_8859_1))) {
          return;
        }
        to.getOutputStream().write(heard);
      }
    } catch (IOException e) {
      // One side is gone, and the other is closed with it.
    }
  }

  private interface Gate {
    boolean passes(String words);
  }

  private static void background(Runnable task) {
    Thread thread = new Thread(task, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
