package com.example.hashing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.engine.HeapTaskOptions;
import io.dpuactors.engine.HeapTasks;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.testkit.Reaction;
import io.dpuactors.testkit.ScriptedContext;
import io.dpuactors.testkit.ScriptedEngine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests tasks on data of the heap without native libraries. */
class ScriptedEngineUnitTest {
  private final ActorTestKit kit = ActorTestKit.create();

  // tag::engine[]
  private final ScriptedContext<CompressProtocol.Command> compress = ScriptedContext.compress(kit);
  private final ScriptedEngine engine =
      ScriptedEngine.create(kit).withContext("compress", compress);

  @Test
  void aFailedTaskFailsItsResultOnly() throws Exception {
    HeapTasks<CompressProtocol.Command> tasks = open().get();
    compress.next(Reaction.fail(DocaCode.IO_FAILED)); // then it completes
    assertThrows(ExecutionException.class, () -> run(tasks).get());
    assertTrue(run(tasks).get().size() > 0);
  }

  @Test
  void memoryThatIsNotAvailableFailsTheStart() {
    engine.refuse(OpenBuffers.class, DocaCode.NO_MEMORY);
    assertThrows(ExecutionException.class, () -> open().get());
  }
  // end::engine[]

  private CompletableFuture<HeapTasks<CompressProtocol.Command>> open() {
    return HeapTasks.open(
            kit.system(),
            engine.ref(),
            compress.ref(),
            Deflate::new,
            HeapTaskOptions.of(4096, 4096))
        .toCompletableFuture();
  }

  private static CompletableFuture<ByteString> run(HeapTasks<CompressProtocol.Command> tasks) {
    return tasks.run(ByteString.fromString("some data")).toCompletableFuture();
  }

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }
}
