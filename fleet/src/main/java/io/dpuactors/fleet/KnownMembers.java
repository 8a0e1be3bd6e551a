package io.dpuactors.fleet;

import com.typesafe.config.Config;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The other nodes of the fleet that a node has seen last, in a file below {@code
 * dpu.fleet.node.state-dir}: one {@code HOST:PORT} per line, then a line {@value #END}. A node that
 * starts again contacts them, and does not begin a second fleet. Thread: one.
 */
final class KnownMembers {
  /** Last line of a complete file. A node that was alone has no other line. */
  private static final String END = "end";

  private final Path file;
  private List<String> written = List.of();

  private KnownMembers(Path file) {
    this.file = file;
  }

  /** Returns the members of a node; null if it keeps none, or has no fixed port. */
  static @Nullable KnownMembers of(Config config, HostPort self) {
    String folder = config.getString("dpu.fleet.node.state-dir");
    if (folder.isEmpty() || self.port() == 0) {
      return null;
    }
    String home = System.getProperty("user.home") + "/";
    Path path = Path.of(folder.startsWith("~/") ? home + folder.substring(2) : folder);
    return new KnownMembers(path.resolve(self.toString().replace('/', '_') + ".members"));
  }

  /**
   * Returns the nodes that a node contacts, in the order of Pekko's seed nodes. If the node itself
   * is the first, it begins a fleet when each of the others answers that it is in none.
   *
   * @param join members that the user names
   * @param known members of the last run
   */
  static List<HostPort> contacts(HostPort self, List<HostPort> join, Collection<HostPort> known) {
    if (join.isEmpty() && known.isEmpty()) {
      return List.of();
    }
    Set<HostPort> all = new LinkedHashSet<>(join);
    all.addAll(known);
    if (!join.isEmpty()) {
      return List.copyOf(all);
    }
    all.add(self);
    return all.stream().sorted(Comparator.comparing(HostPort::toString)).toList();
  }

  /**
   * Returns the members of the last run; empty: there was none, or the node was alone.
   *
   * @throws IOException if the file cannot be read, is incomplete, or contains another line
   */
  List<HostPort> read() throws IOException {
    try {
      List<String> lines = Files.readAllLines(file);
      int members = lines.size() - 1;
      if (members < 0 || !lines.get(members).equals(END)) {
        throw new IllegalArgumentException("the file is empty or truncated");
      }
      return lines.subList(0, members).stream().map(HostPort::parse).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      String why = e instanceof CharacterCodingException ? "the file is no text" : e.getMessage();
      throw new IOException(
          "%s: %s (remove the file, and name the other nodes with --join)".formatted(file, why), e);
    }
  }

  /**
   * Replaces the members if they have changed. The file is complete at any time, also after a loss
   * of power.
   */
  void write(Collection<HostPort> members) throws IOException {
    List<String> lines =
        new ArrayList<>(members.stream().map(HostPort::toString).sorted().toList());
    lines.add(END);
    if (lines.equals(written)) {
      return;
    }
    Path folder = file.resolveSibling("");
    Files.createDirectories(folder);
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer text = StandardCharsets.UTF_8.encode(String.join("\n", lines) + "\n");
      while (text.hasRemaining()) {
        channel.write(text);
      }
      channel.force(true); // a rename may reach the disk before the content
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
      entries.force(true); // the new name
    }
    written = lines;
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
