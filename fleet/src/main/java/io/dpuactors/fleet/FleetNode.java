package io.dpuactors.fleet;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.InvalidSettingException;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.engine.EngineGroup;
import io.dpuactors.engine.GroupOptions;
import io.dpuactors.fleet.FleetNodeEvent.Cause;
import io.dpuactors.fleet.FleetNodeEvent.Failed;
import io.dpuactors.fleet.FleetNodeEvent.Ready;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.MemoryProtocol.BuffersFailed;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.BuffersReply;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.TaskOptions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.SelfUp;
import org.apache.pekko.cluster.typed.Subscribe;
import org.jspecify.annotations.Nullable;

/**
 * The guardian of a node: it opens a compress context per kind of task, on the engines whose
 * devices can run it, joins the cluster, and spawns the {@link Gateway} and the {@link
 * MemberWatch}. It terminates its actor system when the gateway has drained, and when the engines
 * fail. CoordinatedShutdown drains the gateway before the node leaves the cluster.
 */
public final class FleetNode {
  /** A message to the guardian. */
  public sealed interface Command {}

  private record ContextReplied(TaskKind kind, CompressProtocol.OpenReply reply)
      implements Command {}

  private record BuffersReplied(
      TaskKind kind, ActorRef<CompressProtocol.Command> compress, BuffersReply reply)
      implements Command {}

  private enum Up implements Command {
    INSTANCE
  }

  private static final String BROKEN = "the node has failed; its log names the cause";

  private final ActorContext<Command> context;
  private final NodeDevices devices;
  private final List<HostPort> seeds;
  private final Consumer<FleetNodeEvent> listener;
  private final ActorRef<EngineProtocol.Command> engines;
  private final Map<TaskKind, NodeWork.Lane> lanes = new EnumMap<>(TaskKind.class);
  private final @Nullable KnownMembers known;
  private boolean isReady;

  private FleetNode(
      ActorContext<Command> context,
      NodeDevices devices,
      ActorRef<EngineProtocol.Command> engines,
      List<HostPort> seeds,
      Consumer<FleetNodeEvent> listener) {
    this.context = context;
    this.devices = devices;
    this.engines = engines;
    this.seeds = seeds;
    this.listener = listener;
    Config config = context.getSystem().settings().config();
    int port = config.getInt("pekko.remote.artery.canonical.port");
    known = KnownMembers.of(config, FleetConfig.self(config, port));
    context.watch(engines);
    devices.kinds().forEach(this::openContext);
  }

  /** A context needs all its kinds on a device, so a device with one kind needs a context of it. */
  private void openContext(TaskKind kind) {
    TaskOptions options =
        TaskOptions.defaults()
            .withKinds(kind)
            .withWindow(FleetSettings.of(context.getSystem()).buffers());
    engines.tell(
        new OpenCompress(
            kind.shortName(), options, replyTo(reply -> new ContextReplied(kind, reply))));
  }

  /** Returns an address for one reply. An adapter would replace that of the other kind. */
  private <R> ActorRef<R> replyTo(Function<R, Command> command) {
    return context.spawnAnonymous(
        Behaviors.<R>receiveMessage(
            reply -> {
              context.getSelf().tell(command.apply(reply));
              return Behaviors.stopped();
            }));
  }

  /**
   * Creates the guardian.
   *
   * @param wanted PCI addresses of the devices; empty: the first device that can deflate or inflate
   * @param seeds members to contact, from {@link FleetConfig#seeds}; empty: the node begins a fleet
   * @param listener receives one event, on the guardian's thread; Failed may follow Ready
   */
  public static Behavior<Command> create(
      List<String> wanted, List<HostPort> seeds, Consumer<FleetNodeEvent> listener) {
    return Behaviors.setup(
        context -> {
          String library = context.getSystem().settings().config().getString("dpu.library");
          try {
            NodeDevices devices =
                NodeDevices.choose(DocaLibrary.load(LibraryChoice.parse(library)), wanted);
            GroupOptions group =
                GroupOptions.of(devices.addresses().size())
                    .onDevices(devices.addresses().toArray(String[]::new));
            return create(devices, EngineGroup.spawn(context, "engine", group), seeds, listener);
          } catch (IllegalStateException | DocaException | InvalidSettingException e) {
            Cause cause = e instanceof InvalidSettingException ? Cause.SETTING : Cause.DEVICE;
            listener.accept(new Failed(String.valueOf(e.getMessage()), cause));
            return Behaviors.stopped();
          }
        });
  }

  /** Creates the guardian for engines that run. */
  static Behavior<Command> create(
      NodeDevices devices,
      ActorRef<EngineProtocol.Command> engines,
      List<HostPort> seeds,
      Consumer<FleetNodeEvent> listener) {
    return Behaviors.setup(
        context -> {
          try {
            return new FleetNode(context, devices, engines, seeds, listener).behavior();
          } catch (RuntimeException e) { // Pekko reports no reason to the program
            listener.accept(new Failed(BROKEN, Cause.NODE));
            throw e;
          }
        });
  }

  /**
   * Completes when a node has left its cluster, or has ended. After that, only its connections
   * close. Call this method before the node begins to leave.
   *
   * <p>Limit the wait for the end of the actor system after that. Pekko 1.7.0 waits without a limit
   * for the streams of connections, and a stream with TLS may stay open until its peer closes it
   * (apache/pekko#3247).
   *
   * @param system the node's actor system
   */
  public static CompletionStage<Done> whenLeft(ActorSystem<?> system) {
    CompletableFuture<Done> left = new CompletableFuture<>();
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
            "report-fleet-node-left",
            () -> {
              left.complete(Done.getInstance());
              return left;
            });
    system.getWhenTerminated().thenAccept(left::complete);
    return left;
  }

  private Behavior<Command> behavior() {
    return Behaviors.receive(Command.class)
        .onMessage(ContextReplied.class, this::onContext)
        .onMessage(BuffersReplied.class, this::onBuffers)
        .onMessage(Up.class, m -> onUp())
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  private Behavior<Command> onContext(ContextReplied message) {
    if (message.reply() instanceof CompressProtocol.OpenFailed failed) {
      return fail(failed.error().toString());
    }
    ActorRef<CompressProtocol.Command> compress =
        ((CompressProtocol.Opened) message.reply()).context();
    context.watch(compress);
    engines.tell(
        new OpenBuffers(
            compress,
            BufferOptions.of(
                FleetSettings.of(context.getSystem()).buffers(),
                FleetMessage.MAX_BLOCK_BYTES,
                FleetMessage.MAX_BLOCK_BYTES),
            replyTo(reply -> new BuffersReplied(message.kind(), compress, reply))));
    return Behaviors.same();
  }

  private Behavior<Command> onBuffers(BuffersReplied message) {
    if (message.reply() instanceof BuffersFailed failed) {
      return fail(failed.error().toString());
    }
    TaskBuffers buffers = ((BuffersOpened) message.reply()).buffers();
    lanes.put(message.kind(), new NodeWork.Lane(message.compress(), buffers));
    if (lanes.size() == devices.kinds().size()) {
      join();
    }
    return Behaviors.same();
  }

  private void join() {
    Cluster.get(context.getSystem())
        .subscriptions()
        .tell(
            Subscribe.create(
                context.messageAdapter(SelfUp.class, up -> Up.INSTANCE), SelfUp.class));
    if (seeds.size() > 1) {
      context.getLog().info("the node contacts {}", seeds);
    }
    Fleet.join(context.getSystem(), seeds);
  }

  /** Ends the node. Its engines end before its actors when the system stops: that is no failure. */
  private Behavior<Command> fail(String why) {
    report(why, isReady ? Cause.NODE : Cause.DEVICE);
    return terminate();
  }

  private void report(String why, Cause cause) {
    if (CoordinatedShutdown.get(context.getSystem()).getShutdownReason().isEmpty()) {
      listener.accept(new Failed(why, cause));
    }
  }

  /** Before a shutdown, only a failed guardian stops. Pekko then names the reason of a removal. */
  private Behavior<Command> onPostStop() {
    report(BROKEN, Cause.NODE);
    return Behaviors.same();
  }

  /** Lets the node leave the cluster. A guardian that only stops would end without leaving. */
  private Behavior<Command> terminate() {
    context.getSystem().terminate();
    return Behaviors.same();
  }

  private Behavior<Command> onUp() {
    context.watch(
        context.spawn(MemberWatch.create(known), "member-watch", DispatcherSelector.blocking()));
    int contents = FleetSettings.of(context.getSystem()).contents();
    NodeWork work = NodeWork.create(Fleet.self(context.getSystem()), devices, lanes, contents);
    ActorRef<Gateway.Command> gateway = context.spawn(Gateway.create(work), "gateway");
    context.watch(gateway);
    CoordinatedShutdown.get(context.getSystem())
        .addTask(
            CoordinatedShutdown.PhaseServiceRequestsDone(),
            "drain-fleet-node",
            () -> Gateway.drain(context.getSystem(), gateway));
    isReady = true;
    listener.accept(new Ready(work.node(), work.library(), work.devices()));
    return Behaviors.same();
  }

  /** A gateway that stops has drained. A gateway that fails has not. */
  private Behavior<Command> onTerminated(Terminated ended) {
    String name = ended.getRef().path().name();
    boolean hasDrained = name.equals("gateway") && !(ended instanceof ChildFailed);
    return hasDrained ? terminate() : fail("the " + name + " of the node has ended");
  }
}
