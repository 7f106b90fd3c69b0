package dev.outbox.benchmarks;

import dev.outbox.email.Bytes;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The floor: bytes built once, over a bare socket, MAIL, RCPT and DATA in one write. */
final class RawSocketMailClient implements MailClient {

  private static final byte[] ENVELOPE =
      "MAIL FROM:<%s>\r\nRCPT TO:<%s>\r\nDATA\r\n"
          .formatted(SampleMail.FROM, SampleMail.TO)
          .getBytes(StandardCharsets.US_ASCII);

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final byte[] message;

  RawSocketMailClient(int port, Bytes message) throws IOException {
    this.message = (message.toUtf8() + ".\r\n").getBytes(StandardCharsets.UTF_8);
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
    answers(1);
    out.write("EHLO raw\r\n".getBytes(StandardCharsets.US_ASCII));
    answers(3);
  }

  @Override
  public void send() throws IOException {
    out.write(ENVELOPE);
    answers(3);
    out.write(message);
    answers(1);
  }

  private void answers(int lines) throws IOException {
    for (int missing = lines; missing > 0; ) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the sink has gone");
      }
      if (next == '\n') {
        missing--;
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
