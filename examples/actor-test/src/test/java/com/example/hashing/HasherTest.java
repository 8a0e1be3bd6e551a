package com.example.hashing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.example.hashing.Hasher.Command;
import com.example.hashing.Hasher.Hash;
import com.example.hashing.Hasher.Hashed;
import com.example.hashing.Hasher.NotHashed;
import com.example.hashing.Hasher.Reply;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testkit.EngineTestKit;
import java.util.zip.CRC32;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the actor with an engine on the software DPU. */
class HasherTest {
  private static final byte[] DATA = "some data".getBytes(UTF_8);

  // tag::kit[]
  @RegisterExtension static final EngineTestKit dpu = EngineTestKit.create();

  @Test
  void aLostDeviceIsReportedAndTheContextRestarts() {
    ActorRef<Command> hasher =
        dpu.spawn(Hasher.create(dpu.compress(TaskOptions.defaults()), dpu.pool(2, 4096)));
    TestProbe<Reply> replies = dpu.actors().createTestProbe();
    dpu.expectWarning("compress"); // the log reports the restart
    // end::kit[]
    // tag::lost[]
    dpu.device().faults("compress-deflate:lost:nth=1"); // the next task loses the device
    hasher.tell(new Hash(DATA, replies.getRef()));
    replies.expectMessageClass(NotHashed.class);
    hasher.tell(new Hash(DATA, replies.getRef())); // the context restarts, with the same ActorRef
    replies.expectMessage(new Hashed(crc32()));
    // end::lost[]
  }

  private static int crc32() {
    CRC32 crc = new CRC32();
    crc.update(DATA);
    return (int) crc.getValue();
  }
}
