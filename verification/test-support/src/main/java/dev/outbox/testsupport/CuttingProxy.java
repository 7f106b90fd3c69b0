package dev.outbox.testsupport;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A proxy before a server that loses one connection at a moment that a test chooses. */
public final class CuttingProxy implements AutoCloseable {

  private final TcpProxy proxy;
  private final AtomicReference<@Nullable Cut> next = new AtomicReference<>();

  /** Where a connection is lost; in statements, case does not matter. */
  private record Cut(String words, boolean afterwards, Runnable meanwhile) {

    Cut {
      words = words.toUpperCase(Locale.ROOT);
    }
  }

  /** Makes the next cut if it is meant for this connection. */
  private final class CuttingFilter implements TcpProxy.Filter {

    private final AtomicReference<@Nullable Cut> made = new AtomicReference<>();

    @Override
    public boolean passes(byte[] data) {
      String words = new String(data, StandardCharsets.ISO_8859_1);
      Cut cut = next.get();
      if (cut == null
          || !words.toUpperCase(Locale.ROOT).contains(cut.words)
          || !next.compareAndSet(cut, null)) {
        return true;
      }
      made.set(cut);
      return cut.afterwards;
    }

    @Override
    public boolean answers(byte[] data) {
      Cut cut = made.get();
      if (cut != null) {
        cut.meanwhile.run();
      }
      return cut == null;
    }
  }

  /**
   * Opens a port.
   *
   * @param target the port of the server
   */
  public CuttingProxy(int target) {
    this.proxy = new TcpProxy(target, CuttingFilter::new);
  }

  /** Returns the port for clients. */
  public int port() {
    return proxy.port();
  }

  /** Loses the next connection that sends these words, before they reach the server. */
  public void cutBefore(String words) {
    next.set(new Cut(words, false, () -> {}));
  }

  /** Loses the answer to these words, and the connection with it, once the server has given it. */
  public void cutAnswerTo(String words) {
    cutAnswerTo(words, () -> {});
  }

  /** Does the same, and has something happen before the client notices. */
  public void cutAnswerTo(String words, Runnable meanwhile) {
    next.set(new Cut(words, true, meanwhile));
  }

  /** Returns whether the last cut has been made. */
  public boolean hasCut() {
    return next.get() == null;
  }

  @Override
  public void close() {
    proxy.close();
  }
}
