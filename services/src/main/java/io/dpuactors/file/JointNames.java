package io.dpuactors.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives several partial files their names. If one name fails, the files that had the names before
 * get them back. A process that is killed in between leaves both old and new files, and a second
 * name of each old file.
 */
final class JointNames {
  private final List<PartialFile> files;

  /** Second names of the replaced files; null: the name was free. */
  private final List<@Nullable Path> old = new ArrayList<>();

  private int named;

  private JointNames(List<PartialFile> files) {
    this.files = files;
  }

  static void give(List<PartialFile> files) throws IOException {
    JointNames names = new JointNames(files);
    try {
      names.giveAll();
    } catch (IOException e) {
      names.takeBack(e);
      throw e;
    } finally {
      names.deleteOld();
    }
  }

  private void giveAll() throws IOException {
    for (PartialFile file : files) {
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

  private void takeBack(IOException cause) {
    for (int i = old.size() - 1; i >= 0; i--) {
      try {
        takeBack(files.get(i).target(), old.get(i), i < named);
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }

  private static void takeBack(Path target, @Nullable Path second, boolean isNamed)
      throws IOException {
    if (second != null) {
      Files.move(second, target, StandardCopyOption.ATOMIC_MOVE);
    } else if (isNamed) {
      Files.delete(target);
    }
  }

  /** Two names of one file remain after a move of one to the other. */
  private void deleteOld() throws IOException {
    for (Path second : old) {
      if (second != null) {
        Files.deleteIfExists(second);
      }
    }
  }
}
