package io.dpuactors.comch;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.node.ConnectionNode;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.NodeEvent;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.Stop;
import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a server as an actor, child of the server.
 *
 * <pre>
 *   open --Stop, behavior ended--> stopping its data --all Terminated--> closing --gone, behavior ended--> stopped
 *     |                                                                     ^
 *     '--the peer has disconnected: native data ends by itself-------------'
 * </pre>
 *
 * <p>A client must send a message or open a consumer within {@code
 * dpu.comch.server.first-request-deadline}. Otherwise the server closes its connection. The end of
 * each connection is logged at info level.
 */
final class ComchConnection {
  private static final Logger LOG = LoggerFactory.getLogger(ComchConnection.class);

  private enum Tick {
    FIRST_REQUEST
  }

  private final ActorContext<Object> context;
  private final ConnectionNode node;
  private final ConnectionHandlers handlers;
  private final Duration firstRequest;
  private final StopRequests stops = new StopRequests();
  private final long sinceNs = System.nanoTime();
  private String end = "the client disconnected";
  private boolean isGone;

  private ComchConnection(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      EngineCore core,
      ConnectionNode node,
      ComchSettings settings,
      ConnectionOptions options,
      ConnectionBehavior served) {
    context.setLoggerName(ComchConnection.class);
    this.context = context;
    this.node = node;
    this.handlers = new ConnectionHandlers(context, timers, core, settings, node.link());
    this.firstRequest = settings.firstRequestDeadline();
    if (!firstRequest.isZero()) {
      timers.startSingleTimer(Tick.FIRST_REQUEST, firstRequest);
    }
    handlers.serve(served, options);
    node.own(NodeEvent.owner(context.getSelf(), this));
  }

  static Behavior<ConnectionProtocol.Command> create(
      EngineCore core,
      ConnectionNode node,
      ComchSettings settings,
      ConnectionOptions options,
      ConnectionBehavior served) {
    return Behaviors.<Object>setup(
            context ->
                Behaviors.withTimers(
                    timers -> {
                      try {
                        return new ComchConnection(
                                context, timers, core, node, settings, options, served)
                            .opened();
                      } catch (RuntimeException e) {
                        // An actor whose constructor throws gets no PostStop; close the connection
                        // here.
                        node.close();
                        throw e;
                      }
                    }))
        .narrow();
  }

  private Behavior<Object> opened() {
    return handlers
        .open(Behaviors.receive(Object.class))
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(Stop.class, this::onStop)
        .onMessageEquals(Tick.FIRST_REQUEST, this::onFirstRequestDeadline)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  /** Behavior while consumers and producers stop. */
  private Behavior<Object> stoppingData() {
    return handlers
        .closing(Behaviors.receive(Object.class))
        .onMessage(NodeEvent.class, this::onNodeEvent)
        .onMessage(Stop.class, this::onFurtherStop)
        .onSignal(Terminated.class, this::onTerminatedWhileStoppingData)
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  /** Behavior while the native half closes. */
  private Behavior<Object> closing() {
    return handlers
        .closing(Behaviors.receive(Object.class))
        .onMessage(NodeEvent.class, this::onNodeEventWhileClosing)
        .onMessage(Stop.class, this::onFurtherStop)
        .onSignal(Terminated.class, this::onTerminatedWhileClosing)
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<Object> onNodeEvent(NodeEvent event) {
    if (event instanceof NodeEvent.Failed failed) {
      end = isEnd(failed.error()) ? "the client disconnected" : failed.error().toString();
      return close();
    }
    if (event instanceof NodeEvent.Gone) {
      isGone = true;
      return close();
    }
    return Behaviors.same();
  }

  private static boolean isEnd(DocaError error) {
    return error.code() == DocaCode.CONNECTION_RESET;
  }

  /** Closes the connection of a silent client, so that it does not occupy a place forever. */
  private Behavior<Object> onFirstRequestDeadline() {
    return node.link().hasPeerSent()
        ? Behaviors.same()
        : stop("no request within %d ms".formatted(firstRequest.toMillis()));
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    return stop("closed by this side");
  }

  private Behavior<Object> onFurtherStop(Stop stop) {
    stops.add(stop);
    return Behaviors.same();
  }

  private Behavior<Object> stop(String why) {
    end = why;
    handlers.stopData();
    return handlers.hasData() ? stoppingData() : close();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    if (!handlers.forget(signal.getRef())) {
      return Behaviors.same();
    }
    if (signal instanceof ChildFailed failed) {
      node.log(context::getLog)
          .warn("the behavior failed; its connection closes: {}", failed.cause().toString());
      return stop("the behavior failed: " + failed.cause());
    }
    return stop("closed by this side");
  }

  private Behavior<Object> onTerminatedWhileStoppingData(Terminated signal) {
    handlers.forget(signal.getRef());
    return handlers.hasData() ? Behaviors.same() : close();
  }

  private Behavior<Object> close() {
    node.stop();
    handlers.awaitBehavior();
    return hasEnded() ? Behaviors.stopped() : closing();
  }

  private Behavior<Object> onNodeEventWhileClosing(NodeEvent event) {
    isGone |= event instanceof NodeEvent.Gone;
    return endIfPossible();
  }

  private Behavior<Object> onTerminatedWhileClosing(Terminated signal) {
    handlers.forget(signal.getRef());
    return endIfPossible();
  }

  private Behavior<Object> endIfPossible() {
    return hasEnded() ? Behaviors.stopped() : Behaviors.same();
  }

  private boolean hasEnded() {
    return isGone && !handlers.hasData() && !handlers.isServed();
  }

  private Behavior<Object> onEnd() {
    node.log(() -> LOG)
        .info(
            "{} ended after {} ms with {} messages received: {}",
            node.label(),
            (System.nanoTime() - sinceNs) / 1_000_000,
            node.link().received(),
            end);
    handlers.failOpening();
    node.close();
    stops.answer(node);
    return Behaviors.same();
  }
}
