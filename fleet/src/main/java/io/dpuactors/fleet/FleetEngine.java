package io.dpuactors.fleet;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.engine.Engine;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenLibrary;
import io.dpuactors.protocol.EngineProtocol.OpenTasks;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * The fleet in the place of an engine. A program opens a context and buffers, and sends requests to
 * the context, as with an engine group. The tasks run on the nodes of the fleet.
 *
 * <p>The buffers belong to a local engine, which runs no task. The actor joins the cluster of the
 * fleet.
 */
public final class FleetEngine {
  /** Largest input or output of a task in bytes. */
  public static final int MAX_BLOCK_BYTES = FleetMessage.MAX_BLOCK_BYTES;

  /** Largest content in bytes whose deflated form fits, also if it is incompressible. */
  public static final int MAX_CONTENT_BYTES = GzipMember.maxContentBytes(MAX_BLOCK_BYTES);

  /** Largest number of blocks in flight. */
  public static final int MAX_IN_FLIGHT = 128;

  /**
   * Sent by a context when every kind of its tasks has a node, or its time to find one is over.
   *
   * @param error NOT_FOUND, or that of the last refusal; null: every kind has a node
   */
  record Found(String name, @Nullable DocaError error) implements LocalMessage {}

  private final ActorContext<Object> context;
  private final FleetTally tally;
  private final ActorRef<EngineProtocol.Command> local;
  private final ActorRef<ContextReply<LocalMessage>> localReplies;
  private final Map<String, OpenTasks<?>> starting = new HashMap<>();
  private final Map<String, OpenTasks<?>> searching = new HashMap<>();
  private final Map<ActorRef<?>, ActorRef<?>> localContexts = new HashMap<>();

  private FleetEngine(ActorContext<Object> context, FleetTally tally) {
    this.context = context;
    this.tally = tally;
    this.local = Engine.spawn(context, context.getSelf().path().name() + "-memory");
    this.localReplies = context.getSelf().narrow();
    context.watch(local);
    Fleet.join(context.getSystem(), FleetSettings.of(context.getSystem()).seeds());
  }

  /**
   * Returns the behavior of a client's engine. The engine joins the fleet of {@code
   * dpu.fleet.seeds}.
   *
   * @param tally counts the results by node
   */
  public static Behavior<EngineProtocol.Command> create(FleetTally tally) {
    return Behaviors.<Object>setup(context -> new FleetEngine(context, tally).behavior()).narrow();
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(OpenTasks.class, this::onOpenTasks)
        .onMessage(ContextReply.Opened.class, this::onLocalOpened)
        .onMessage(ContextReply.OpenFailed.class, this::onLocalFailed)
        .onMessage(Found.class, this::onFound)
        .onMessage(OpenBuffers.class, this::onOpenBuffers)
        .onMessage(CloseBuffers.class, this::forward)
        .onMessage(GetStatus.class, this::forward)
        .onMessage(Stop.class, this::onStop)
        .onMessage(Request.class, this::onOther)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  private Behavior<Object> onOpenTasks(OpenTasks<?> command) {
    String name = command.name();
    if (!FleetMessage.KINDS.containsAll(command.options().kinds())
        || command.options().kinds().isEmpty()) {
      command.refuse(
          error(DocaCode.NOT_SUPPORTED, "a fleet runs only tasks of the kinds deflate, inflate"));
    } else if (starting.containsKey(name) || context.getChild(name).isPresent()) {
      command.refuse(error(DocaCode.ALREADY_EXIST, "a context of this name is open"));
    } else {
      starting.put(name, command);
      local.tell(new OpenLibrary(command.library(), name, command.options(), localReplies));
    }
    return Behaviors.same();
  }

  private Behavior<Object> onLocalFailed(ContextReply.OpenFailed<?> failed) {
    OpenTasks<?> command = starting.remove(failed.name());
    if (command != null) {
      command.refuse(failed.error());
    }
    return Behaviors.same();
  }

  private Behavior<Object> onLocalOpened(ContextReply.Opened<?> opened) {
    OpenTasks<?> command = starting.remove(opened.name());
    if (command != null) {
      searching.put(command.name(), command);
      ActorRef<Object> fleetContext =
          context.spawn(
              FleetContext.create(command.options().kinds(), tally, context.getSelf().narrow()),
              command.name(),
              Props.empty().withMailboxFromConfig("dpu.mailbox"));
      context.watch(fleetContext);
      localContexts.put(fleetContext, opened.context());
    }
    return Behaviors.same();
  }

  private Behavior<Object> onFound(Found found) {
    ActorRef<Void> fleetContext = context.getChild(found.name()).orElse(null);
    if (fleetContext == null) {
      return Behaviors.same(); // the context has ended; its signal follows, and answers the command
    }
    OpenTasks<?> command = searching.remove(found.name());
    if (command == null) {
      return Behaviors.same();
    }
    DocaError missing = found.error();
    if (missing == null) {
      opened(command, fleetContext);
    } else {
      context.stop(fleetContext);
      command.refuse(missing);
    }
    return Behaviors.same();
  }

  private static <C> void opened(OpenTasks<C> command, ActorRef<Void> fleetContext) {
    command.opened(fleetContext.unsafeUpcast());
  }

  private Behavior<Object> onOpenBuffers(OpenBuffers command) {
    ActorRef<?> localContext = localContexts.get(command.context());
    if (localContext == null) {
      String name = command.context().path().name();
      command.refuse(error(DocaCode.NOT_FOUND, name + " is no running context of this fleet"));
    } else {
      local.tell(new OpenBuffers(localContext, command.options(), command.replyTo()));
    }
    return Behaviors.same();
  }

  private Behavior<Object> forward(EngineProtocol.Command command) {
    local.tell(command);
    return Behaviors.same();
  }

  private Behavior<Object> onOther(Request request) {
    request.refuse(
        error(
            DocaCode.NOT_SUPPORTED,
            request.getClass().getSimpleName() + " needs an engine; a fleet only runs tasks"));
    return Behaviors.same();
  }

  private Behavior<Object> onStop(Stop stop) {
    localContexts.keySet().forEach(one -> context.stop(one));
    local.tell(stop);
    return Behaviors.same();
  }

  private Behavior<Object> onTerminated(Terminated ended) {
    if (!ended.getRef().equals(local.<Void>unsafeUpcast())) {
      onContextEnded(ended.getRef());
      return Behaviors.same();
    }
    if (ended instanceof ChildFailed failed) {
      throw new IllegalStateException("the engine of the buffers has failed", failed.cause());
    }
    return Behaviors.stopped();
  }

  /** Answers the commands that wait for the local engine, which has ended, or for nodes. */
  private Behavior<Object> onPostStop() {
    List<OpenTasks<?>> waiting = new ArrayList<>(starting.values());
    waiting.addAll(searching.values());
    starting.clear();
    searching.clear();
    waiting.forEach(one -> one.refuse(error(DocaCode.SHUTDOWN, "the engine has ended")));
    return Behaviors.same();
  }

  /** Stops the context that has the buffers, and answers the command that still waits. */
  private void onContextEnded(ActorRef<?> fleetContext) {
    ActorRef<?> localContext = localContexts.remove(fleetContext);
    if (localContext != null) {
      localContext.unsafeUpcast().tell(new Stop());
    }
    OpenTasks<?> command = searching.remove(fleetContext.path().name());
    if (command != null) {
      command.refuse(error(DocaCode.SHUTDOWN, "the context has ended"));
    }
  }

  static DocaError error(DocaCode code, String why) {
    return DocaError.of("fleet", code.value(), why);
  }
}
