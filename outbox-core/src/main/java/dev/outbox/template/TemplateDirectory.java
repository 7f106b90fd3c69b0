package dev.outbox.template;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A directory of template files, none of them outside it. */
final class TemplateDirectory extends SimpleFileVisitor<Path> {

  private static final int DEEPEST = 16;

  private final Path root;
  private final Path realRoot;
  private final NavigableMap<String, byte[]> files = new TreeMap<>();

  private TemplateDirectory(Path root) throws IOException {
    this.root = root;
    this.realRoot = root.toRealPath();
  }

  /** Reads all template files, by their path with slashes. */
  static NavigableMap<String, byte[]> read(Path root) {
    if (!Files.isDirectory(root)) {
      throw new TemplateException("directory " + root + ": does not exist");
    }
    try {
      TemplateDirectory directory = new TemplateDirectory(root);
      Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), DEEPEST, directory);
      return directory.files;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
      throws IOException {
    if (!folder.equals(root) && isHidden(folder)) {
      return FileVisitResult.SKIP_SUBTREE;
    }
    requireInside(folder);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    if (isTemplate(file) && !isHidden(file)) {
      if (!attributes.isRegularFile()) {
        throw new TemplateException(relative(file) + ": is not a file");
      }
      files.put(relative(file), Files.readAllBytes(requireInside(file)));
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    if (isHidden(file)) {
      return FileVisitResult.CONTINUE;
    }
    throw new TemplateException(
        relative(file) + ": cannot be read: " + e.getClass().getSimpleName());
  }

  private Path requireInside(Path path) throws IOException {
    Path real = path.toRealPath();
    if (!real.startsWith(realRoot)) {
      throw new TemplateException(relative(path) + ": is a link that leads out of the directory");
    }
    return real;
  }

  private String relative(Path path) {
    return root.relativize(path).toString().replace(path.getFileSystem().getSeparator(), "/");
  }

  private static boolean isTemplate(Path file) {
    return file.toString().endsWith(TemplateFile.EXTENSION);
  }

  /**
   * Kubernetes keeps the real files of a mounted volume in a folder whose name starts with dots.
   */
  private static boolean isHidden(Path path) {
    Path name = path.getFileName();
    return name != null && name.toString().startsWith(".");
  }
}
