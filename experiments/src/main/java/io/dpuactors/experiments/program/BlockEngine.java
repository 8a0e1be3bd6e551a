package io.dpuactors.experiments.program;

import com.typesafe.config.Config;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.InvalidSettingException;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.engine.Engine;
import io.dpuactors.experiments.data.BlockHeader;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.CompressOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.OpenPool;
import io.dpuactors.protocol.EngineProtocol.OpenReply;
import io.dpuactors.protocol.EngineProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol.PoolFailed;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.EngineProtocol.PoolReply;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function;

/**
 * An actor system whose top actor is an engine, with a compress context and blocks in memory. The
 * program's main thread uses it.
 */
final class BlockEngine {
  private static final Duration OPEN_LIMIT = Duration.ofSeconds(15);
  private static final Duration TRIAL_LIMIT = Duration.ofMinutes(10);
  private static final DispatcherSelector THREAD =
      DispatcherSelector.fromConfig("dpu.engine-dispatcher");

  private final ActorSystem<EngineProtocol.Command> engine;
  private final BlockMemory memory;
  private final ActorRef<Object> trial;

  /** The device or its context cannot be used; the message has the reason. */
  static final class Unavailable extends Exception {
    private static final long serialVersionUID = 1;

    Unavailable(String message) {
      super(message);
    }
  }

  private BlockEngine(
      ActorSystem<EngineProtocol.Command> engine, BlockMemory memory, ActorRef<Object> trial) {
    this.engine = engine;
    this.memory = memory;
    this.trial = trial;
  }

  /**
   * Opens the engine and its context, and loads the blocks.
   *
   * @param in source of the blocks
   * @param parallel tasks in flight
   * @throws InvalidSettingException if an environment variable of the software DPU is invalid
   */
  static BlockEngine open(Config config, ReadableByteChannel in, BlockHeader header, int parallel)
      throws IOException, Unavailable {
    DocaLibrary.load(LibraryChoice.parse(config.getString("dpu.library")));
    ActorSystem<EngineProtocol.Command> engine =
        ActorSystem.create(Engine.create(), "blocks", config, THREAD);
    try {
      ActorRef<CompressProtocol.Command> compress = openContext(engine, parallel);
      int room = (int) GzipMember.maxPayloadBytes(header.blockBytes());
      BufferPool sources = openPool(engine, header.blocks(), header.blockBytes());
      BufferPool destinations = openPool(engine, header.blocks(), room);
      BlockMemory memory = BlockMemory.load(in, header.blocks(), sources, destinations);
      ActorRef<Object> trial =
          engine.systemActorOf(
              BlockTrial.create(compress, memory), "trial", Props.empty().withNext(THREAD));
      return new BlockEngine(engine, memory, trial);
    } catch (IOException | Unavailable | RuntimeException e) {
      engine.terminate();
      throw e;
    }
  }

  private static ActorRef<CompressProtocol.Command> openContext(
      ActorSystem<EngineProtocol.Command> engine, int parallel) throws Unavailable {
    CompressOptions options =
        CompressOptions.defaults().withKinds(TaskKind.COMPRESS_DEFLATE).withWindow(parallel);
    OpenReply<CompressProtocol.Command> reply =
        ask(engine, engine, me -> new OpenCompress("compress", options, me), OPEN_LIMIT);
    if (reply instanceof OpenFailed<CompressProtocol.Command> failed) {
      throw new Unavailable(failed.error().toString());
    }
    return ((Opened<CompressProtocol.Command>) reply).context();
  }

  private static BufferPool openPool(
      ActorSystem<EngineProtocol.Command> engine, int count, int bytes) throws Unavailable {
    PoolReply reply =
        ask(
            engine,
            engine,
            me ->
                new OpenPool(
                    Optional.empty(), count, bytes, MemoryOptions.defaults().withHugePages(), me),
            OPEN_LIMIT);
    if (reply instanceof PoolFailed failed) {
      throw new Unavailable(failed.error().toString());
    }
    return ((PoolOpened) reply).pool();
  }

  /** Deflates every block once. */
  BlockTrial.Outcome run() {
    return ask(engine, trial, BlockTrial.Run::new, TRIAL_LIMIT);
  }

  /** Returns the name of the library that drives the device, for reports. */
  String library() {
    EngineProtocol.Status status = ask(engine, engine, EngineProtocol.GetStatus::new, OPEN_LIMIT);
    return status.library();
  }

  /**
   * Stops in order, and returns whether resources remain. Must not be used after a broken trial.
   */
  EngineProtocol.Stopped stop() {
    memory.release();
    return ask(engine, engine, EngineProtocol.Stop::new, OPEN_LIMIT);
  }

  /** Ends without waiting for leased buffers. */
  void abandon() {
    engine.terminate();
  }

  private static <C, R> R ask(
      ActorSystem<?> system, ActorRef<C> actor, Function<ActorRef<R>, C> message, Duration limit) {
    return AskPattern.ask(actor, message, limit, system.scheduler()).toCompletableFuture().join();
  }
}
