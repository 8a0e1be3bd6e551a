package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Base of tests with servers and clients. Each program runs in a separate process. Where the
 * process does not matter, clients run in this one, because a JVM takes over a second to start. All
 * programs use the socket folder of this process; each test begins with an empty folder.
 */
abstract class ChannelPrograms {
  @TempDir Path logs;

  final Path meeting =
      Path.of(Objects.requireNonNull(System.getenv("SOFTDPU_DIR"), "the build sets it"));

  private final List<Program> started = new ArrayList<>();

  /** Deletes the sockets of processes that the previous test killed. */
  @BeforeEach
  void clear() throws IOException {
    for (Path left : atMeeting()) {
      Files.deleteIfExists(left);
    }
  }

  private List<Path> atMeeting() throws IOException {
    if (!Files.isDirectory(meeting)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(meeting)) {
      return all.toList();
    }
  }

  final Program dpu(Map<String, String> environment, Object... words) throws IOException {
    return kept(Program.dpu(logs, environment, List.of(), words));
  }

  final Program dpu(Object... words) throws IOException {
    return dpu(Map.of(), words);
  }

  final Program kept(Program program) {
    started.add(program);
    return program;
  }

  /** Kills all started processes, also after a failure. */
  @AfterEach
  void endAll() {
    started.forEach(program -> program.process().destroyForcibly().onExit().join());
  }

  static void awaitLine(Program server, String line) throws Exception {
    server.await(
        "\"" + line + "\"", () -> server.out().contains(line) || !server.process().isAlive());
    assertThat(server.out()).as("ended: " + server.err()).contains(line);
  }

  final Program serve(Object... words) throws Exception {
    return serve(Map.of(), words);
  }

  final Program serve(Map<String, String> environment, Object... words) throws Exception {
    Program server = dpu(environment, words);
    awaitLine(server, "serving " + words[1] + " on software DPU 0000:03:00.0 for 0000:81:00.");
    return server;
  }

  final void stop(Program server, String signal, int status) throws Exception {
    kill(server, signal);
    assertThat(server.status()).as(server.err()).isEqualTo(status);
    assertThat(atMeeting()).as("where processes meet").isEmpty();
  }

  /** Asserts that the server has logged one line for each client, and no other line. */
  static void assertClients(Program server, int clients) throws IOException {
    assertThat(server.err().lines())
        .hasSize(clients)
        .allMatch(line -> line.matches("dpu: info: connection-\\d+ ended after \\d+ ms with .*"));
  }

  final void kill(Program program, String signal) throws Exception {
    String pid = String.valueOf(program.process().pid());
    assertThat(Program.of(logs, "kill", "-" + signal, pid).status()).isZero();
  }

  /** Runs a client in this process and returns its output. */
  static JsonNode json(Object... words) throws IOException {
    Cli client = Cli.run(words);
    assertThat(client.status()).as(client.err()).isZero();
    assertThat(client.err()).isEmpty();
    assertThat(client.out()).hasLineCount(1);
    return new ObjectMapper().readTree(client.out());
  }

  final Program plainC(Path program, Object... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    for (Object word : words) {
      if (word instanceof Object[] several) {
        Stream.of(several).map(String::valueOf).forEach(command::add);
      } else {
        command.add(word.toString());
      }
    }
    return kept(Program.of(logs, command.toArray(String[]::new)));
  }
}
