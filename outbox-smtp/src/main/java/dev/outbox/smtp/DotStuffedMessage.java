package dev.outbox.smtp;

import dev.outbox.email.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * A message in the form it has after DATA, with the final dot at its end: one more dot at the start
 * of each line that begins with one, and no CR or LF that is not part of a CRLF, so that nothing in
 * it can end it early.
 */
final class DotStuffedMessage {

  static final byte[] DOT = {'.', '\r', '\n'};

  private final ByteArrayBuilder bytes;
  private final boolean needsUtf8;
  private final boolean needsEightBit;

  private DotStuffedMessage(ByteArrayBuilder bytes, boolean needsUtf8, boolean needsEightBit) {
    this.bytes = bytes;
    this.needsUtf8 = needsUtf8;
    this.needsEightBit = needsEightBit;
  }

  static DotStuffedMessage of(Bytes message) {
    Stuffing stuffing = new Stuffing(message.length());
    try {
      message.writeTo(stuffing);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return stuffing.end();
  }

  /** Returns the message and the dot. */
  ByteArrayBuilder withDot() {
    return bytes;
  }

  /** Returns how many bytes there are before the dot. */
  int length() {
    return bytes.length() - DOT.length;
  }

  /** Returns whether a header has bytes outside ASCII in it, for which a relay needs SMTPUTF8. */
  boolean needsUtf8() {
    return needsUtf8;
  }

  /** Returns whether the body has bytes outside ASCII in it, for which a relay needs 8BITMIME. */
  boolean needsEightBit() {
    return needsEightBit;
  }

  private static final class Stuffing extends OutputStream {
    private final ByteArrayBuilder out;
    private int line;
    private boolean body;
    private boolean afterCr;
    private boolean utf8;
    private boolean eightBit;

    Stuffing(int length) {
      this.out = new ByteArrayBuilder(length + 64);
    }

    @Override
    public void write(int octet) {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] from, int start, int count) {
      int end = start + count;
      int copied = start;
      for (int i = start; i < end; i++) {
        byte b = from[i];
        if (afterCr && b != '\n') {
          // The CR before was a loose one.
          out.add(from, copied, i - copied).add('\n');
          copied = i;
          endLine();
        }
        if (b == '\n') {
          if (!afterCr) {
            out.add(from, copied, i - copied).line();
            copied = i + 1;
          }
          endLine();
        } else if (b == '\r') {
          afterCr = true;
        } else {
          if (line == 0 && b == '.') {
            out.add(from, copied, i - copied).add('.');
            copied = i;
          }
          int rest = ordinary(from, i, end);
          line += rest - i;
          i = rest - 1;
        }
      }
      out.add(from, copied, end - copied);
    }

    /** Returns where the run of bytes that are no part of a line end, ends. */
    private int ordinary(byte[] from, int start, int end) {
      int i = start;
      boolean strange = false;
      while (i + 8 <= end) {
        long eight = ByteScan.at(from, i);
        if (ByteScan.anyBelow(eight, '\r' + 1)) {
          break;
        }
        strange |= ByteScan.anyOutsideAscii(eight);
        i += 8;
      }
      while (i < end && from[i] != '\n' && from[i] != '\r') {
        strange |= from[i++] < 0;
      }
      utf8 |= strange && !body;
      eightBit |= strange && body;
      return i;
    }

    private void endLine() {
      body |= line == 0;
      line = 0;
      afterCr = false;
    }

    DotStuffedMessage end() {
      if (afterCr) {
        out.add('\n');
      } else if (line > 0) {
        out.line();
      }
      return new DotStuffedMessage(out.add(DOT), utf8, eightBit);
    }
  }
}
