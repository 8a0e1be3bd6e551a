package com.example.hashing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.hashing.Hasher.Command;
import com.example.hashing.Hasher.Hash;
import com.example.hashing.Hasher.Hashed;
import com.example.hashing.Hasher.NotHashed;
import com.example.hashing.Hasher.Reply;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.engine.AnswerWatch;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.testkit.HeapBuffers;
import io.dpuactors.testkit.Reaction;
import io.dpuactors.testkit.ScriptedContext;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the actor without an engine and without native libraries. */
class HasherUnitTest {
  private static final byte[] DATA = "some data".getBytes(UTF_8);

  private final ActorTestKit kit = ActorTestKit.create();
  private final TestProbe<Reply> replies = kit.createTestProbe();

  // tag::scripted[]
  private final ScriptedContext<CompressProtocol.Command> compress = ScriptedContext.compress(kit);
  private final BufferPool pool = HeapBuffers.pool(2, 4096);
  private final ActorRef<Command> hasher = kit.spawn(Hasher.create(compress.ref(), pool));

  @Test
  void refusalsAndFailuresAreReported() {
    compress.next(Reaction.busy(), Reaction.fail(DocaCode.IO_FAILED)); // then it completes
    for (int i = 0; i < 2; i++) {
      hasher.tell(new Hash(DATA, replies.getRef()));
      replies.expectMessageClass(NotHashed.class);
    }
    hasher.tell(new Hash(DATA, replies.getRef()));
    replies.expectMessage(new Hashed(crc32()));
  }

  @Test
  void missingBuffersAreReported() {
    compress.next(Reaction.hold());
    hasher.tell(new Hash(DATA, replies.getRef()));
    hasher.tell(new Hash(DATA, replies.getRef())); // the first task has both buffers
    replies.expectMessage(new NotHashed("no buffer is free"));
    compress.proceed();
    replies.expectMessage(new Hashed(crc32()));
  }

  @AfterEach
  void allBuffersAreReleased() {
    assertEquals(2, pool.available());
    pool.close();
    kit.shutdownTestKit();
  }
  // end::scripted[]

  @Test
  void theWatchReportsAnActorThatDoesNotAnswer() {
    TestProbe<Command> received = kit.createTestProbe();
    // tag::watch[]
    AnswerWatch watch = AnswerWatch.get(kit.system());
    ActorRef<Command> silent =
        kit.spawn(
            watch.around(
                Behaviors.receiveMessage(
                    command -> {
                      received.ref().tell(command); // and no answer
                      return Behaviors.same();
                    })));
    silent.tell(new Hash(DATA, replies.getRef()));
    received.receiveMessage();
    List<String> unanswered = watch.unanswered();
    // end::watch[]
    assertEquals(1, unanswered.size());
    assertTrue(unanswered.get(0).contains("Hash"), unanswered::toString);
  }

  private static int crc32() {
    CRC32 crc = new CRC32();
    crc.update(DATA);
    return (int) crc.getValue();
  }
}
