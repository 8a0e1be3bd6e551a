package com.example.hashing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.hashing.BlockHasher.Hashes;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.simulation.Simulated;
import io.dpuactors.simulation.SimulatedSystem;
import io.dpuactors.simulation.Simulation;
import io.dpuactors.simulation.SimulationFailedError;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Simulates the actor: seeds choose the order of all messages and completions. */
class BlockHasherTest {
  private static final List<byte[]> BLOCKS =
      List.of("one".getBytes(UTF_8), "two".getBytes(UTF_8), "three".getBytes(UTF_8));

  /** An actor with a bug: it keeps the hashes in the order of their completion. */
  private static final class WrongOrder extends BlockHasher {
    WrongOrder(
        ActorContext<TaskReply> context,
        ActorRef<CompressProtocol.Command> compress,
        BufferPool pool,
        ActorRef<Hashes> replyTo) {
      super(context, compress, pool, BLOCKS, replyTo);
    }

    // tag::wrong[]
    @Override
    protected void keep(Completed reply) {
      hashes[completed] = reply.crc32();
    }
    // end::wrong[]
  }

  // tag::simulated[]
  @Simulated(seeds = 100)
  void theHashesHaveTheOrderOfTheBlocks(SimulatedSystem system) {
    assertEquals(expected(), hash(system, BlockHasher::create));
  }
  // end::simulated[]

  @Test
  void aSeedFindsTheBugAndReplaysIt() {
    // tag::replay[]
    Simulation seeds = Simulation.ofSeeds(1, 200);
    SimulationFailedError failure =
        assertThrows(SimulationFailedError.class, () -> seeds.run(this::wrong));

    List<String> lines = new ArrayList<>();
    Simulation again = Simulation.of(failure.seed()).trace(step -> lines.add(step.toString()));
    assertThrows(SimulationFailedError.class, () -> again.run(this::wrong));
    // end::replay[]
    assertTrue(lines.stream().anyMatch(line -> line.contains("/user/run/hasher <- Completed")));
  }

  private void wrong(SimulatedSystem system) {
    Start start =
        (compress, pool, blocks, replyTo) ->
            Behaviors.setup(context -> new WrongOrder(context, compress, pool, replyTo));
    assertEquals(expected(), hash(system, start));
  }

  private interface Start {
    Behavior<TaskReply> create(
        ActorRef<CompressProtocol.Command> compress,
        BufferPool pool,
        List<byte[]> blocks,
        ActorRef<Hashes> replyTo);
  }

  // tag::hash[]
  private static Hashes hash(SimulatedSystem system, Start start) {
    ActorRef<EngineProtocol.Command> engine = system.engine("one");
    PoolReply pool = system.ask(engine, me -> new OpenPool(PoolOptions.of(6, 256), me));
    CompressProtocol.OpenReply opened =
        system.ask(engine, me -> new OpenCompress("compress", TaskOptions.defaults(), me));
    var compress = ((CompressProtocol.Opened) opened).context();
    var hashes = system.<Hashes>probe();
    system.spawn(
        start.create(compress, ((PoolOpened) pool).pool(), BLOCKS, hashes.ref()), "hasher");
    return hashes.receive();
  }
  // end::hash[]

  private static Hashes expected() {
    return new Hashes(
        BLOCKS.stream()
            .map(
                block -> {
                  CRC32 crc = new CRC32();
                  crc.update(block);
                  return (int) crc.getValue();
                })
            .toList());
  }
}
