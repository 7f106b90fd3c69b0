package dev.outbox.smtp;

import dev.outbox.email.Bytes;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.RecipientResult.Status;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * A transport for development that sends nothing: each email becomes a file {@code <id>.eml} in a
 * folder, just as it would go over the wire, for any mail program to open. Only the user of this
 * process can read the files, and the folder if it is made here. Safe for many threads.
 */
public final class FolderTransport implements Transport {

  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private final Path folder;
  private volatile boolean closed;

  /**
   * Makes a transport that writes into a folder, which is made if it is not there.
   *
   * @throws IllegalArgumentException if it cannot be made
   */
  public FolderTransport(Path folder) {
    this.folder = folder;
    try {
      Files.createDirectories(folder, ownerOnly(folder));
    } catch (IOException e) {
      throw new IllegalArgumentException("folder: cannot be made: " + folder, e);
    }
  }

  /** The permissions of a new folder; a new temporary file has none for others by itself. */
  private static FileAttribute<?>[] ownerOnly(Path folder) {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  @Override
  public Bytes compose(RenderedMessage message) {
    return MimeComposer.compose(message);
  }

  @Override
  public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
    String name = envelope.id() + ".eml";
    try {
      Path part = Files.createTempFile(folder, name, ".part");
      try {
        Files.write(part, message.toArray());
        if (closed || !permit.isValid()) {
          return new DeliveryResult.NotSent();
        }
        Files.move(part, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      return new DeliveryResult.Postponed(A_MINUTE, "the folder cannot be written to", null);
    }
    String reply = "written to " + name;
    return new DeliveryResult.Answered(
        envelope.recipients().stream()
            .map(each -> new RecipientResult(each.email(), Status.ACCEPTED, reply))
            .toList(),
        reply);
  }

  @Override
  public int availableCapacity(int wanted) {
    return wanted;
  }

  @Override
  public void close() {
    closed = true;
  }
}
