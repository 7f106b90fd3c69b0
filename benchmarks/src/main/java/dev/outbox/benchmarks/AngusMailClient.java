package dev.outbox.benchmarks;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;

/** angus as people use it: a fresh {@code MimeMessage} for each email, the connection kept. */
final class AngusMailClient implements MailClient {

  private final Session session;
  private final Transport transport;

  AngusMailClient(int port) throws IOException {
    Properties settings = new Properties();
    settings.put("mail.smtp.host", "localhost");
    settings.put("mail.smtp.port", String.valueOf(port));
    session = Session.getInstance(settings);
    try {
      transport = session.getTransport("smtp");
      transport.connect();
    } catch (MessagingException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void send() throws IOException {
    try {
      MimeMessage message = new MimeMessage(session);
      message.setFrom(new InternetAddress(SampleMail.FROM, "Shop", "UTF-8"));
      message.setRecipient(
          Message.RecipientType.TO, new InternetAddress(SampleMail.TO, "Ada Lovelace", "UTF-8"));
      message.setSubject(SampleMail.SUBJECT, "UTF-8");
      message.setSentDate(Date.from(Instant.now()));
      MimeBodyPart text = new MimeBodyPart();
      text.setText(SampleMail.TEXT, "UTF-8");
      MimeBodyPart html = new MimeBodyPart();
      html.setContent(SampleMail.HTML, "text/html; charset=UTF-8");
      message.setContent(new MimeMultipart("alternative", text, html));
      message.saveChanges();
      transport.sendMessage(message, message.getAllRecipients());
    } catch (MessagingException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      transport.close();
    } catch (MessagingException e) {
      throw new IOException(e);
    }
  }
}
