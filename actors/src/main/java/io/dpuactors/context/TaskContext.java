package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.node.ContextNode;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.MailboxMarker;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.StopRequests;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskProtocol.CapabilityQuery;
import io.dpuactors.protocol.TaskProtocol.CreateObject;
import io.dpuactors.protocol.TaskProtocol.DestroyObject;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Actor of a DOCA context that executes tasks; a supervised child of its engine. {@link
 * TaskLibrary} describes the DOCA library.
 *
 * <p>A failed copy stops a DMA context in DOCA. The failed copy and all other copies on the device
 * are answered with their errors. Then the supervisor restarts the actor.
 *
 * <p>The actor controls the lifecycle of the context. Its native half {@link ContextNode} holds the
 * requests and survives a failure of the actor. The sender of a request observes:
 *
 * <ul>
 *   <li>While the context starts or restarts, requests wait in the queue.
 *   <li>When the context fails, tasks on the device are answered with their result or error, and
 *       waiting requests with the cause.
 *   <li>After Stop, new and waiting requests are answered with {@code DOCA_ERROR_SHUTDOWN}.
 * </ul>
 */
public final class TaskContext {
  private final TaskLibrary library;
  private final ActorContext<Object> context;
  private final EngineCore core;
  private final RestartHistory history;
  private final ActorRef<ContextEvent> engine;
  private final Object incarnation = new Object();
  private final ContextNode<TaskLane<DeviceRequest>> node;
  private final ContextDevice device;
  private final ContextObjects objects;
  private final StopRequests stops = new StopRequests();

  private TaskContext(
      TaskLibrary library,
      ActorContext<Object> context,
      EngineCore core,
      ContextSettings settings,
      RestartHistory history,
      ActorRef<ContextEvent> engine) {
    this.library = library;
    this.context = context;
    this.core = core;
    this.history = history;
    this.engine = engine;
    this.device = new ContextDevice(library, core, settings);
    core.pools().takers().join(context.getSelf());
    String name = context.getSelf().path().name();
    this.node =
        core.openContext(
            name,
            TaskLane.forTasks(core, name, settings.lane()),
            settings.times(),
            device::open,
            NodeEvent.owner(context.getSelf(), incarnation),
            history.delayNs());
    this.objects =
        new ContextObjects(library, settings.lane().queue(), node::running, context::watch);
  }

  /**
   * Returns the behavior of a context under its supervisor strategy.
   *
   * @param library whose protocol the behavior has
   * @param root the whole configuration
   * @param core of the parent engine
   * @param engine receives an event when the context runs or fails to start
   * @throws IllegalArgumentException naming an option that is out of range
   */
  public static <C> Behavior<C> supervised(
      TaskLibrary library,
      Config root,
      EngineCore core,
      TaskOptions options,
      ActorRef<ContextEvent> engine) {
    ContextSettings settings =
        ContextSettings.from(root.getConfig("dpu." + library.shortName()), options);
    RestartHistory history = new RestartHistory(settings.restart());
    Behavior<Object> behavior =
        Behaviors.setup(
            context -> {
              context.setLoggerName(TaskContext.class);
              return history.isStopping()
                  ? Behaviors.stopped()
                  : new TaskContext(library, context, core, settings, history, engine).behavior();
            });
    return Behaviors.supervise(behavior)
        .onFailure(Exception.class, settings.supervision())
        .narrow();
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive((self, message) -> onMessage(message), (self, s) -> onSignal(s));
  }

  /** Tests the most frequent message types first. */
  private Behavior<Object> onMessage(Object message) {
    if (message instanceof DeviceRequest request) {
      return onRequest(request);
    }
    if (message instanceof MailboxMarker marker) {
      return onMarker(marker);
    }
    if (message instanceof NodeEvent event) {
      return onNodeEvent(event);
    }
    if (message instanceof CapabilityQuery query) {
      return onQuery(query);
    }
    if (message instanceof CreateObject command) {
      return onCreateObject(command);
    }
    if (message instanceof DestroyObject command) {
      objects.destroy(command);
      return Behaviors.same();
    }
    return message instanceof Stop stop ? onStop(stop) : Behaviors.unhandled();
  }

  private Behavior<Object> onSignal(Signal signal) {
    if (signal instanceof PreRestart) {
      return onEnd();
    }
    if (signal instanceof Terminated owner) {
      objects.onOwnerEnded(owner.getRef());
      return Behaviors.same();
    }
    return signal instanceof PostStop ? ended() : Behaviors.unhandled();
  }

  private Behavior<Object> onRequest(DeviceRequest request) {
    core.pools().takers().expect(request);
    node.load().accept(request);
    return Behaviors.same();
  }

  private Behavior<Object> onMarker(MailboxMarker marker) {
    marker.pass();
    return Behaviors.same();
  }

  private Behavior<Object> onQuery(CapabilityQuery query) {
    query.replyTo().tell(device.capabilities());
    return Behaviors.same();
  }

  private Behavior<Object> onCreateObject(CreateObject command) {
    if (history.isStopping()) {
      command.refuse(
          DocaError.of(library.docaName(), DocaCode.SHUTDOWN.value(), "the context is stopping"));
    } else {
      objects.create(command);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    history.stopping();
    node.stop();
    objects.close();
    return Behaviors.same();
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event.incarnation() != incarnation) {
      return Behaviors.same();
    }
    if (event instanceof NodeEvent.Failed failed) {
      return onFailed(failed.error());
    }
    if (event instanceof NodeEvent.Gone) {
      return Behaviors.stopped();
    }
    history.running(core.nowNs());
    objects.onRunning();
    engine.tell(new ContextEvent.Running(context.getSelf(), Optional.of(device.pciAddress())));
    return Behaviors.same();
  }

  private Behavior<Object> onFailed(DocaError error) {
    if (history.isStopping()) {
      // Stop arrived before this event. The node ends without help, and no incarnation follows.
      return Behaviors.same();
    }
    history.failed(core.nowNs());
    if (history.hasRun()) {
      throw new ContextFailure(error);
    }
    // The context has never run. The sender of the Open command decides, so the supervisor must not
    // restart it.
    engine.tell(new ContextEvent.StartFailed(context.getSelf(), error));
    return Behaviors.stopped();
  }

  private Behavior<Object> ended() {
    core.pools().takers().leave(context.getSelf());
    return onEnd();
  }

  private Behavior<Object> onEnd() {
    node.close();
    objects.close();
    stops.answer(node);
    return Behaviors.same();
  }
}
