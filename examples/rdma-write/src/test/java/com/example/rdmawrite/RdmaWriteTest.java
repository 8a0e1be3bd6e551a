package com.example.rdmawrite;

import static com.typesafe.config.ConfigFactory.load;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.OpenFailed;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RdmaWriteTest {
  @Test
  void theStorePrintsWhatTheWriterWrote() throws InterruptedException {
    Lines lines = new Lines();
    PrintStream before = System.out;
    System.setOut(new PrintStream(lines, true, UTF_8));
    try {
      ActorSystem<EngineProtocol.Command> store = Store.start();
      ActorSystem<EngineProtocol.Command> writer = engine();
      assertInstanceOf(Completed.class, Writer.send(writer, "hello, memory"));
      assertTrue(lines.take().startsWith("Opened[name=listener"));
      assertEquals("hello, memory", lines.take());
      stop(writer);
      stop(store);
    } finally {
      System.setOut(before);
    }
  }

  @Test
  void aWriterWithoutStoreReturnsTheReason() {
    ActorSystem<EngineProtocol.Command> writer = engine();
    assertInstanceOf(OpenFailed.class, Writer.send(writer, "nobody reads this"));
    stop(writer);
  }

  private static ActorSystem<EngineProtocol.Command> engine() {
    return ActorSystem.create(
        Engine.create(), "writer", load(), Engine.props());
  }

  private static void stop(ActorSystem<EngineProtocol.Command> engine) {
    Stopped stopped = Ask.of(engine, engine, Stop::new);
    assertTrue(stopped.clean(), stopped.toString());
    engine.getWhenTerminated().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  /** Printed lines. */
  private static final class Lines extends OutputStream {
    private final BlockingQueue<String> complete = new LinkedBlockingQueue<>();
    private final List<Byte> line = new ArrayList<>();

    @Override
    public synchronized void write(int b) {
      if (b != '\n') {
        line.add((byte) b);
        return;
      }
      byte[] bytes = new byte[line.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = line.get(i);
      }
      line.clear();
      complete.add(new String(bytes, UTF_8));
    }

    String take() throws InterruptedException {
      return String.valueOf(complete.poll(20, TimeUnit.SECONDS));
    }
  }
}
