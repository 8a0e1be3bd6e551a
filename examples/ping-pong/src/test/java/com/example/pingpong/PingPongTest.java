package com.example.pingpong;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PingPongTest {
  @Test
  void aPingIsAnsweredWithPong() {
    List<String> lines = printed(PingPongTest::playOnce);
    assertTrue(lines.get(0).startsWith("Opened[name=server"), lines.get(0));
    assertEquals(List.of("ping", "pong"), lines.subList(1, lines.size()));
  }

  @Test
  void aClientWithoutServerPrintsTheReason() {
    List<String> lines = printed(PingPongTest::runClient);
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).startsWith("OpenFailed[name=client"), lines.get(0));
  }

  private static void playOnce() {
    ActorSystem<EngineProtocol.Command> server = PongServer.start();
    runClient();
    CompletionStage<Stopped> stopped =
        AskPattern.ask(server, Stop::new, Duration.ofSeconds(10), server.scheduler());
    assertTrue(stopped.toCompletableFuture().join().clean());
  }

  private static void runClient() {
    ActorSystem.create(PingClient.create(), "ping")
        .getWhenTerminated()
        .toCompletableFuture()
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
  }

  private static List<String> printed(Runnable program) {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      program.run();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(UTF_8).lines().toList();
  }
}
