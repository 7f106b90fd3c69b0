package dev.outbox.template;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/** A folder of the class path with template files, in directories and jars. */
final class TemplateClasspath {

  private static final Pattern FORM = Pattern.compile("[\\w-][\\w.-]*(?:/[\\w-][\\w.-]*)*");

  private TemplateClasspath() {}

  /** Reads all template files, by their path with slashes; the first on the class path wins. */
  static NavigableMap<String, byte[]> read(String folder, ClassLoader loader) {
    if (!FORM.matcher(folder).matches()) {
      throw new TemplateException(
          "class path folder " + folder + ": must be like mail or com/example/mail");
    }
    NavigableMap<String, byte[]> files = new TreeMap<>();
    try {
      for (URL url : Collections.list(loader.getResources(folder))) {
        readFrom(url).forEach(files::putIfAbsent);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private static NavigableMap<String, byte[]> readFrom(URL url) throws IOException {
    if (url.getProtocol().equals("file")) {
      return TemplateDirectory.read(Path.of(URI.create(url.toString())));
    }
    URLConnection connection = url.openConnection();
    if (connection instanceof JarURLConnection jar) {
      return readFrom(jar);
    }
    throw new TemplateException(url + ": templates are read from directories and jars only");
  }

  private static NavigableMap<String, byte[]> readFrom(JarURLConnection connection)
      throws IOException {
    // a cached jar stays open, and closing it would close it for everybody
    connection.setUseCaches(false);
    String folder = connection.getEntryName().replaceFirst("/?$", "/");
    NavigableMap<String, byte[]> files = new TreeMap<>();
    try (JarFile jar = connection.getJarFile()) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().startsWith(folder) && isTemplate(entry)) {
          try (InputStream content = jar.getInputStream(entry)) {
            files.put(entry.getName().substring(folder.length()), content.readAllBytes());
          }
        }
      }
    }
    return files;
  }

  private static boolean isTemplate(JarEntry entry) {
    String name = entry.getName();
    return name.endsWith(TemplateFile.EXTENSION) && !name.contains("/.");
  }
}
