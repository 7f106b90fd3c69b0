package dev.outbox.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Enumeration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and its certificate for a host name, made with the JDK's own tool; nothing to expire. */
record Certificates(SSLContext server, SSLContext client) {

  private static final String PASSWORD = "changeit";

  static Certificates forHost(Path folder, String host) {
    try {
      Path file = folder.resolve(host + ".p12");
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  "key",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=" + host,
                  "-ext",
                  "san=dns:" + host,
                  "-validity",
                  "2",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  file.toString(),
                  "-storepass",
                  PASSWORD)
              .inheritIO()
              .start();
      if (keytool.waitFor() != 0) {
        throw new IllegalStateException("keytool");
      }
      return of(file);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Certificates of(Path file) throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD.toCharArray());
    SSLContext server = SSLContext.getInstance("TLS");
    server.init(own.getKeyManagers(), null, null);

    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (Enumeration<String> names = keys.aliases(); names.hasMoreElements(); ) {
      String name = names.nextElement();
      trusted.setCertificateEntry(name, keys.getCertificate(name));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext client = SSLContext.getInstance("TLS");
    client.init(null, trust.getTrustManagers(), null);
    return new Certificates(server, client);
  }
}
