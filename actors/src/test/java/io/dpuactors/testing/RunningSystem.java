package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** An actor system with an engine on the software DPU. */
public final class RunningSystem implements AutoCloseable {
  /** test kit of Pekko */
  public final ActorTestKit kit;

  /** first engine */
  public final ActorRef<EngineProtocol.Command> engine;

  private final Map<String, ActorRef<Object>> parents = new ConcurrentHashMap<>();

  private RunningSystem(String overrides) {
    Config config =
        ConfigFactory.load(
            ConfigFactory.parseString(overrides)
                .withFallback(ConfigFactory.parseResources("application-test.conf")));
    kit = ActorTestKit.create("test", config);
    engine = spawnEngine("one");
  }

  /** Creates a system with the tests' configuration. */
  public static RunningSystem create() {
    return new RunningSystem("");
  }

  /** Creates a system with the tests' configuration and overrides. */
  public static RunningSystem create(String overrides) {
    return new RunningSystem(overrides);
  }

  /** Starts one more engine on a separate thread. */
  public ActorRef<EngineProtocol.Command> spawnEngine(String name) {
    TestProbe<ActorRef<EngineProtocol.Command>> probe = kit.createTestProbe();
    Behavior<Object> parent =
        Behaviors.setup(
            context -> {
              probe.getRef().tell(Engine.spawn(context, name));
              return Behaviors.receiveMessage(message -> Behaviors.stopped());
            });
    parents.put(name, kit.spawn(parent, "parent-of-" + name));
    return probe.receiveMessage();
  }

  /** Stops the parent of the first engine, without a Stop message to the engine. Does not wait. */
  public void endEngine() {
    ActorRef<Object> parent = parents.get("one");
    assertThat(parent).isNotNull();
    parent.tell("end");
  }

  /**
   * Blocks the thread of an engine until the block point is released. Then each actor handles the
   * messages that have arrived in the meantime, up to 64, before the device's next turn.
   */
  public void blockEngine(String name, BlockPoint blockPoint) {
    kit.spawn(
        Behaviors.setup(
            context -> {
              blockPoint.block();
              return Behaviors.stopped();
            }),
        Engine.props(kit.system(), name));
    blockPoint.awaitBlocked();
  }

  /** Blocks the thread of the first engine: see {@link #blockEngine(String, BlockPoint)}. */
  public BlockPoint blockEngine() {
    BlockPoint blockPoint = new BlockPoint();
    blockEngine("one", blockPoint);
    return blockPoint;
  }

  /** Asks the engine for a compress context. */
  public CompressProtocol.OpenReply open(String name, TaskOptions options) {
    TestProbe<CompressProtocol.OpenReply> probe = kit.createTestProbe();
    engine.tell(new EngineProtocol.OpenCompress(name, options, probe.getRef()));
    return probe.receiveMessage();
  }

  /** Opens a compress context and returns it when it runs. */
  public ActorRef<CompressProtocol.Command> opened(String name, TaskOptions options) {
    CompressProtocol.OpenReply reply = open(name, options);
    assertThat(reply).isInstanceOf(Opened.class);
    return ((CompressProtocol.Opened) reply).context();
  }

  /** Asks the engine for a DMA context. */
  public DmaProtocol.OpenReply openDma(String name, TaskOptions options) {
    TestProbe<DmaProtocol.OpenReply> probe = kit.createTestProbe();
    engine.tell(new EngineProtocol.OpenDma(name, options, probe.getRef()));
    return probe.receiveMessage();
  }

  /** Opens a DMA context and returns it when it runs. */
  public ActorRef<DmaProtocol.Command> openedDma(String name, TaskOptions options) {
    DmaProtocol.OpenReply reply = openDma(name, options);
    assertThat(reply).isInstanceOf(Opened.class);
    return ((DmaProtocol.Opened) reply).context();
  }

  /** Asks the engine for a context of a library, with the library's name. */
  public ContextReply<LocalMessage> open(TaskLibrary library, TaskOptions options) {
    TestProbe<ContextReply<LocalMessage>> probe = kit.createTestProbe();
    engine.tell(
        new EngineProtocol.OpenLibrary(library, library.shortName(), options, probe.getRef()));
    return probe.receiveMessage();
  }

  /** Opens a context of a library and returns it when it runs. */
  public ActorRef<LocalMessage> opened(TaskLibrary library, TaskOptions options) {
    ContextReply<LocalMessage> reply = open(library, options);
    assertThat(reply).isInstanceOf(Opened.class);
    return ((TaskProtocol.Opened) reply).context();
  }

  /** Creates the object of a library's example; null if its tasks use none. */
  public @Nullable TaskHandle object(TaskLibrary library, ActorRef<LocalMessage> context) {
    TaskLibrary.Example example = library.example();
    if (example == null) {
      return null;
    }
    TestProbe<AnyTask.CreateReply> probe = kit.createTestProbe();
    context.tell(new AnyTask.Create(example, Optional.empty(), probe.getRef()));
    AnyTask.CreateReply reply = probe.receiveMessage();
    assertThat(reply.error()).isNull();
    return reply.handle();
  }

  /** Asks the engine for a SHA context. */
  public ShaProtocol.OpenReply openSha(String name, TaskOptions options) {
    TestProbe<ShaProtocol.OpenReply> probe = kit.createTestProbe();
    engine.tell(new EngineProtocol.OpenSha(name, options, probe.getRef()));
    return probe.receiveMessage();
  }

  /** Opens a SHA context and returns it when it runs. */
  public ActorRef<ShaProtocol.Command> openedSha(String name, TaskOptions options) {
    ShaProtocol.OpenReply reply = openSha(name, options);
    assertThat(reply).isInstanceOf(Opened.class);
    return ((ShaProtocol.Opened) reply).context();
  }

  /** Returns the value of a counter of the engine. */
  public long counter(String name) {
    TestProbe<Status> probe = kit.createTestProbe();
    engine.tell(new EngineProtocol.GetStatus(probe.getRef()));
    return probe.receiveMessage().counters().getOrDefault(name, 0L);
  }

  /** Returns the number of open objects of the engine of a kind. */
  public int open(Census.Resource resource) {
    TestProbe<Status> probe = kit.createTestProbe();
    engine.tell(new EngineProtocol.GetStatus(probe.getRef()));
    return probe.receiveMessage().open().getOrDefault(resource, 0);
  }

  /** Opens a pool of registered buffers. */
  public BufferPool pool(int count, int bytes) {
    TestProbe<PoolReply> probe = kit.createTestProbe();
    engine.tell(new MemoryProtocol.OpenPool(PoolOptions.of(count, bytes), probe.getRef()));
    return ((PoolOpened) probe.receiveMessage()).pool();
  }

  /** Returns a leased buffer with this content. */
  public static Buffer buffer(BufferPool pool, byte... content) {
    Buffer buffer = pool.lease();
    assertThat(buffer).isNotNull();
    buffer.bytes().clear().put(content);
    buffer.length(content.length);
    return buffer;
  }

  /**
   * Releases the buffers of an answer. RETAINED buffers return to the pool at the end of their
   * task.
   */
  public static void releaseBuffers(TaskReply reply) {
    if (reply instanceof Completed done) {
      done.src().release();
      done.dst().release();
    } else if (reply instanceof Busy) {
      reply.src().release();
      reply.dst().release();
    } else if (reply instanceof Failed failed && failed.ownership() == Ownership.RETURNED) {
      failed.src().release();
      failed.dst().release();
    }
  }

  /** Returns the set of tags of the answers. */
  public static Set<Long> tags(List<? extends TaskReply> replies) {
    return replies.stream().map(TaskReply::tag).collect(Collectors.toSet());
  }

  /** Stops the engine and returns the report of its end. */
  public Stopped stopEngine() {
    TestProbe<Stopped> probe = kit.createTestProbe();
    engine.tell(new Stop(probe.getRef()));
    Stopped stopped = probe.receiveMessage();
    probe.expectTerminated(engine);
    return stopped;
  }

  @Override
  public void close() {
    kit.shutdownTestKit();
  }
}
