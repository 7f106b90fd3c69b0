package dev.outbox.smtp;

import java.util.Properties;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** The settings of angus for one connection. */
final class SessionSettings {

  private SessionSettings() {}

  static Properties of(SmtpRelay relay, MonitoredSocket socket, SmtpRelay.@Nullable Login login) {
    Properties settings = new Properties();
    settings.put(
        "mail.smtp.connectiontimeout", String.valueOf(relay.timeouts().connect().toMillis()));
    settings.put("mail.smtp.socketFactory", socket.plain());
    settings.put("mail.smtp.ssl.socketFactory", socket.tls(tls(relay)));
    settings.put("mail.smtp.socketFactory.fallback", "false");
    settings.put("mail.smtp.ssl.checkserveridentity", "true");
    settings.put("mail.smtp.ssl.protocols", "TLSv1.3 TLSv1.2");
    boolean startTls = relay.security() == SmtpRelay.Security.STARTTLS;
    settings.put("mail.smtp.starttls.enable", String.valueOf(startTls));
    settings.put("mail.smtp.starttls.required", String.valueOf(startTls));
    settings.put("mail.smtp.quitwait", "false");
    // Whatever the log's level: no user name, no password, no AUTH command.
    settings.put("mail.debug.auth", "false");
    settings.put("mail.debug.auth.username", "false");
    settings.put("mail.debug.auth.password", "false");
    if (relay.helloName() != null) {
      settings.put("mail.smtp.localhost", relay.helloName());
    }
    if (login != null) {
      settings.put("mail.smtp.auth", "true");
      settings.put("mail.smtp.auth.mechanisms", login.token() ? "XOAUTH2" : "PLAIN LOGIN");
    }
    return settings;
  }

  private static SSLSocketFactory tls(SmtpRelay relay) {
    return relay.trust() == null
        ? (SSLSocketFactory) SSLSocketFactory.getDefault()
        : relay.trust().getSocketFactory();
  }
}
