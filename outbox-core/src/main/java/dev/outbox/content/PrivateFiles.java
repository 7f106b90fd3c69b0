package dev.outbox.content;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories and files that only the user of this process can read, for stores that keep emails in
 * files.
 *
 * <p>Where the file system has POSIX permissions, a new directory has {@code rwx------} and a new
 * file {@code rw-------} from the moment it exists. Elsewhere they have what the file system gives
 * them. Safe for use by many threads.
 */
public final class PrivateFiles {

  private static final Logger log = LoggerFactory.getLogger(PrivateFiles.class);
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private PrivateFiles() {}

  /**
   * Creates a directory, with those of its parents that are missing. What exists keeps its
   * permissions, and may be a symbolic link to a directory.
   *
   * @return the given path
   */
  public static Path createDirectories(Path directory) throws IOException {
    return Files.createDirectories(directory, attributes(directory, DIRECTORY));
  }

  /** Logs a warning if other users of the machine can list, enter or change a directory. */
  public static void warnIfOpen(Path directory) throws IOException {
    if (!hasPosix(directory)) {
      return;
    }
    Set<PosixFilePermission> found = Files.getPosixFilePermissions(directory);
    if (isOpenToOthers(found)) {
      log.warn(
          "{} is open to other users of this machine ({}) and holds emails; chmod 700 closes it",
          directory,
          PosixFilePermissions.toString(found));
    }
  }

  /**
   * Creates a file and opens it for writing.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is a file or a link of that name
   */
  public static FileChannel createFile(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        attributes(file, FILE));
  }

  /** Removes the permissions that other users have on a file. */
  public static void restrict(Path file) throws IOException {
    if (hasPosix(file) && !FILE.containsAll(Files.getPosixFilePermissions(file))) {
      Files.setPosixFilePermissions(file, FILE);
    }
  }

  private static boolean isOpenToOthers(Set<PosixFilePermission> permissions) {
    return permissions.contains(PosixFilePermission.OTHERS_READ)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)
        || permissions.contains(PosixFilePermission.OTHERS_EXECUTE);
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return hasPosix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  private static boolean hasPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
