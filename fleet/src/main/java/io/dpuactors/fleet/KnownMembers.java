package io.dpuactors.fleet;

import com.typesafe.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The other nodes of the fleet that a node has seen last, in a file below {@code
 * dpu.fleet.node.state-dir}: one {@code HOST:PORT} per line. A node that starts again contacts
 * them, and does not begin a second fleet.
 */
final class KnownMembers {
  private final Path file;

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

  /** Returns the members of the last run; empty: there was none, or the node was alone. */
  List<HostPort> read() throws IOException {
    try {
      return Files.readAllLines(file).stream().map(HostPort::parse).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage() + " (remove the file)", e);
    }
  }

  /** Replaces the members. The file is complete at any time. */
  void write(Collection<HostPort> members) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Set<String> lines = new TreeSet<>();
    members.forEach(member -> lines.add(member.toString()));
    Files.write(draft, lines);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
