package io.dpuactors.file;

import io.dpuactors.wire.IoReason;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives several partial files their names. If one name fails, the files that had the names before
 * get them back. A process that is killed in between leaves both old and new files, and a second
 * name of each old file. An old file that does not get its name back keeps its second name.
 */
final class JointNames {
  private static final Logger LOG = LoggerFactory.getLogger(JointNames.class);

  /** A complete file without its name. */
  interface Unnamed {
    /** Returns the path of the finished output. */
    Path target();

    /** Returns whether the output may replace a file. */
    boolean replaces();

    /** Gives the file its name. */
    void giveName() throws IOException;
  }

  private final List<? extends Unnamed> files;

  /** Second names of the replaced files; null: the name was free. */
  private final List<@Nullable Path> old = new ArrayList<>();

  private int named;

  private JointNames(List<? extends Unnamed> files) {
    this.files = files;
  }

  /**
   * Gives all files their names, or none.
   *
   * @throws IOException if a name fails; the message contains each old file without its name
   */
  static void give(List<? extends Unnamed> files) throws IOException {
    JointNames names = new JointNames(files);
    try {
      names.giveAll();
    } catch (IOException e) {
      throw names.takeBack(e);
    }
    names.deleteOld();
  }

  private void giveAll() throws IOException {
    for (Unnamed file : files) {
      old.add(file.replaces() ? keep(file.target()) : null);
      file.giveName();
      named++;
    }
  }

  /** Gives the file of a target a second name, and returns it; null: there is no file. */
  private static @Nullable Path keep(Path target) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    OutputTarget.resolve(target, true); // refuses a folder
    Path second = target.resolveSibling(PartName.kept(target, "old"));
    Files.deleteIfExists(second); // of a killed process
    try {
      Files.createLink(second, target);
    } catch (FileSystemException | UnsupportedOperationException e) {
      Files.move(target, second, StandardCopyOption.ATOMIC_MOVE); // without hard links
    }
    return second;
  }

  /** Returns the error to report. */
  private IOException takeBack(IOException cause) {
    List<String> left = new ArrayList<>();
    for (int i = old.size() - 1; i >= 0; i--) {
      Path second = old.get(i);
      try {
        takeBack(files.get(i).target(), second, i < named);
      } catch (IOException e) {
        cause.addSuppressed(e);
        if (second != null) {
          left.add(second.toString());
        }
      }
    }
    return left.isEmpty() ? cause : withOld(cause, left);
  }

  private static IOException withOld(IOException cause, List<String> left) {
    String reason =
        "%s; old files that could not be restored: %s"
            .formatted(IoReason.of(cause), String.join(", ", left));
    String file = cause instanceof FileSystemException named ? named.getFile() : null;
    FileSystemException error = new FileSystemException(file, null, reason);
    error.initCause(cause);
    return error;
  }

  private static void takeBack(Path target, @Nullable Path second, boolean isNamed)
      throws IOException {
    if (second != null) {
      Files.move(second, target, StandardCopyOption.ATOMIC_MOVE);
      Files.deleteIfExists(second); // remains if both are names of one file
    } else if (isNamed) {
      Files.delete(target);
    }
  }

  /** Deletes the replaced files. A failure is only logged: all new files have their names. */
  private void deleteOld() {
    for (Path second : old) {
      try {
        if (second != null) {
          Files.deleteIfExists(second);
        }
      } catch (IOException e) {
        LOG.warn("{}: the replaced file cannot be deleted", second, e);
      }
    }
  }
}
