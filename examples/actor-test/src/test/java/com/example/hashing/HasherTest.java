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
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenPool;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.EngineProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import java.util.zip.CRC32;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the actor with a probe instead of the context, and with the software DPU. */
@Timeout(60)
class HasherTest {
  private static final byte[] DATA = "some data".getBytes(UTF_8);

  private final SoftDpu device = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));
  private final ActorTestKit kit = ActorTestKit.create();
  private final ActorRef<EngineProtocol.Command> engine =
      kit.spawn(Engine.create(), DispatcherSelector.fromConfig("dpu.engine-dispatcher"));
  private final BufferPool pool = pool();
  private final TestProbe<Reply> replies = kit.createTestProbe();

  @AfterEach
  void everyBufferIsBackAndTheEngineStops() {
    device.clearFaults();
    assertEquals(2, pool.available());
    TestProbe<Stopped> stopped = kit.createTestProbe();
    engine.tell(new Stop(stopped.getRef()));
    assertTrue(stopped.receiveMessage().clean());
    kit.shutdownTestKit();
  }

  @Test
  void aBusyContextIsReported() {
    TestProbe<CompressProtocol.Command> context = kit.createTestProbe();
    ActorRef<Command> hasher = kit.spawn(Hasher.create(context.getRef(), pool));
    hasher.tell(new Hash(DATA, replies.getRef()));
    Deflate task = context.expectMessageClass(Deflate.class);
    hasher.tell(new Hash(DATA, replies.getRef())); // the task has both buffers
    replies.expectMessage(new NotHashed("no buffer is free"));
    task.busy(7);
    assertTrue(replies.expectMessageClass(NotHashed.class).reason().contains("Busy"));
  }

  @Test
  void aLostDeviceIsReportedAndTheContextRestarts() {
    ActorRef<Command> hasher = kit.spawn(Hasher.create(compress(), pool));
    CRC32 crc = new CRC32();
    crc.update(DATA);
    // tag::lost[]
    device.faults("compress-deflate:lost:nth=1"); // the next task loses the device
    hasher.tell(new Hash(DATA, replies.getRef()));
    replies.expectMessageClass(NotHashed.class);
    hasher.tell(new Hash(DATA, replies.getRef())); // the context restarts, with the same ActorRef
    replies.expectMessage(new Hashed((int) crc.getValue()));
    // end::lost[]
  }

  private ActorRef<CompressProtocol.Command> compress() {
    TestProbe<CompressProtocol.OpenReply> probe = kit.createTestProbe();
    engine.tell(new OpenCompress("compress", TaskOptions.defaults(), probe.getRef()));
    return ((CompressProtocol.Opened) probe.receiveMessage()).context();
  }

  private BufferPool pool() {
    TestProbe<PoolReply> probe = kit.createTestProbe();
    engine.tell(new OpenPool(PoolOptions.of(2, 4096), probe.getRef()));
    return probe.expectMessageClass(PoolOpened.class).pool();
  }
}
