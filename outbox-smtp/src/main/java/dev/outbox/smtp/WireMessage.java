package dev.outbox.smtp;

import dev.outbox.email.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * A message in the form it has after DATA, without the final dot: one more dot at the start of each
 * line that begins with one, and no CR or LF that is not part of a CRLF, so that nothing in it can
 * end it early.
 */
final class WireMessage {

  private final ByteBuilder bytes;
  private final boolean needsUtf8;

  private WireMessage(ByteBuilder bytes, boolean needsUtf8) {
    this.bytes = bytes;
    this.needsUtf8 = needsUtf8;
  }

  static WireMessage of(Bytes message) {
    Stuffing stuffing = new Stuffing(message.length());
    try {
      message.writeTo(stuffing);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return stuffing.end();
  }

  ByteBuilder bytes() {
    return bytes;
  }

  /** Returns whether a header has bytes outside ASCII in it, for which a relay needs SMTPUTF8. */
  boolean needsUtf8() {
    return needsUtf8;
  }

  private static final class Stuffing extends OutputStream {
    private final ByteBuilder out;
    private int line;
    private boolean body;
    private boolean afterCr;
    private boolean utf8;

    Stuffing(int length) {
      this.out = new ByteBuilder(length + 64);
    }

    @Override
    public void write(int octet) {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] from, int start, int count) {
      int copied = start;
      int end = start + count;
      for (int i = start; i < end; i++) {
        byte b = from[i];
        if (b == '\n') {
          if (!afterCr) {
            out.add(from, copied, i - copied).line();
            copied = i + 1;
          }
          endLine();
          continue;
        }
        if (afterCr) {
          // The CR before was a loose one.
          out.add(from, copied, i - copied).add('\n');
          copied = i;
          endLine();
        }
        if (b == '\r') {
          afterCr = true;
          continue;
        }
        if (line == 0 && b == '.') {
          out.add(from, copied, i - copied).add('.');
          copied = i;
        }
        line++;
        utf8 |= b < 0 && !body;
      }
      out.add(from, copied, end - copied);
    }

    private void endLine() {
      body |= line == 0;
      line = 0;
      afterCr = false;
    }

    WireMessage end() {
      if (afterCr) {
        out.add('\n');
      } else if (line > 0) {
        out.line();
      }
      return new WireMessage(out, utf8);
    }
  }
}
