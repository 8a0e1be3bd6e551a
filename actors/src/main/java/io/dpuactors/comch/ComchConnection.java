package io.dpuactors.comch;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.context.ConnectionLife;
import io.dpuactors.node.ConnectionNode;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.NodeActors;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import java.time.Duration;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a server as an actor, child of the server.
 *
 * <p>A client must send a message or open a consumer within {@code
 * dpu.comch.server.first-request-deadline}. Otherwise the server closes its connection. The end of
 * each connection is logged at info level.
 */
final class ComchConnection implements ConnectionLife.Parts {
  private static final Logger LOG = LoggerFactory.getLogger(ComchConnection.class);

  private enum Tick {
    FIRST_REQUEST
  }

  private final ConnectionNode node;
  private final ConnectionLife life;
  private final ConnectionHandlers handlers;
  private final Duration firstRequest;
  private final long sinceNs = System.nanoTime();
  private String end = "the client disconnected";

  private ComchConnection(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      EngineCore core,
      ConnectionNode node,
      ComchSettings settings,
      ConnectionOptions options,
      ConnectionBehavior served) {
    context.setLoggerName(ComchConnection.class);
    this.node = node;
    this.life =
        new ConnectionLife(context, timers, settings.behaviorDeadline(), null, this, node::own);
    this.handlers = new ConnectionHandlers(context, core, settings, node.link(), life);
    this.firstRequest = settings.firstRequestDeadline();
    if (!firstRequest.isZero()) {
      timers.startSingleTimer(Tick.FIRST_REQUEST, firstRequest);
    }
    handlers.serve(served, options);
  }

  static Behavior<ConnectionProtocol.Command> create(
      EngineCore core,
      ConnectionNode node,
      ComchSettings settings,
      ConnectionOptions options,
      ConnectionBehavior served) {
    return NodeActors.create(
            core,
            node::close,
            (context, timers) ->
                new ComchConnection(context, timers, core, node, settings, options, served)
                    .behavior())
        .narrow();
  }

  private Behavior<Object> behavior() {
    return life.with(
        handlers.requests().onMessageEquals(Tick.FIRST_REQUEST, this::onFirstRequestDeadline));
  }

  @Override
  public void running() {}

  @Override
  public void failed(DocaError error) {
    end = isEnd(error) ? "the client disconnected" : error.toString();
  }

  private static boolean isEnd(DocaError error) {
    return error.code() == DocaCode.CONNECTION_RESET;
  }

  /** Closes the connection of a silent client, so that it does not occupy a place forever. */
  private Behavior<Object> onFirstRequestDeadline() {
    return node.link().hasPeerSent()
        ? Behaviors.same()
        : life.stop("no request within %d ms".formatted(firstRequest.toMillis()));
  }

  @Override
  public void stopping(String why) {
    end = why;
  }

  @Override
  public void ended() {
    node.log(() -> LOG)
        .info(
            "{} ended after {} ms with {} messages received: {}",
            node.label(),
            (System.nanoTime() - sinceNs) / 1_000_000,
            node.link().received(),
            end);
  }
}
