package io.dpuactors.streams;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.ConnectionInfo;
import io.dpuactors.protocol.ConnectionProtocol.GetInfo;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Translates the messages of a stream, which are those of the communication channel, for an RDMA
 * connection. Each {@link Send} has a buffer of the connection's pool until the device has sent it.
 * The pool opens first, and closes after the connection and all its tasks have ended.
 */
final class RdmaLine {
  private record PoolOpened(@Nullable BufferPool pool, @Nullable Throwable failure) {}

  private record PoolClosed(@Nullable Throwable failure) {}

  private final ActorContext<Object> context;
  private final StreamPool memory;
  private final ActorRef<RdmaConnectionProtocol.Command> connection;
  private final int messageBytes;
  private final List<ActorRef<ConnectionInfo>> askers = new ArrayList<>();
  private final List<ActorRef<Stopped>> stops = new ArrayList<>();
  private final Map<Long, Send> sends = new HashMap<>();
  private @Nullable BufferPool pool;
  private DocaError refusal =
      DocaError.of("send", DocaCode.SHUTDOWN.value(), "the connection or its engine has ended");
  private long sent;
  private boolean isOpened;
  private boolean isEnded;

  private RdmaLine(
      ActorContext<Object> context,
      StreamPool memory,
      ActorRef<RdmaConnectionProtocol.Command> connection,
      int messageBytes) {
    this.context = context;
    this.memory = memory;
    this.connection = connection;
    this.messageBytes = messageBytes;
  }

  /**
   * Creates the actor of a connection. The actor ends after the connection.
   *
   * @param messages memory for the messages in flight
   */
  static ActorRef<ConnectionProtocol.Command> spawn(
      ActorSystem<?> system,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<RdmaConnectionProtocol.Command> connection,
      PoolOptions messages) {
    Behavior<Object> behavior =
        Behaviors.setup(
            context -> {
              StreamPool memory = new StreamPool(system, engine);
              context.watch(connection);
              context.pipeToSelf(Failures.plain(memory.open(messages)), PoolOpened::new);
              return new RdmaLine(context, memory, connection, messages.bufferBytes()).behavior();
            });
    return system.systemActorOf(behavior, "dpu-" + Binding.name("rdma"), Props.empty()).narrow();
  }

  /** Returns the event as one of the channel. */
  static ConnectionEvent translated(RdmaConnectionProtocol.Event event) {
    if (event instanceof RdmaConnectionProtocol.Closed closed) {
      return new ConnectionEvent.Closed(closed.error());
    }
    return new ConnectionEvent.Message(
        event instanceof RdmaConnectionProtocol.Message message
            ? message.bytes()
            : new byte[0]); // a write with immediate data: no message of a stream
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(PoolOpened.class, this::onPoolOpened)
        .onMessage(GetInfo.class, this::onGetInfo)
        .onMessage(Send.class, this::onSend)
        .onMessage(RdmaConnectionProtocol.Reply.class, this::onReply)
        .onMessage(Stop.class, this::onStop)
        .onMessage(PoolClosed.class, this::onPoolClosed)
        .onSignal(Terminated.class, signal -> onEnded())
        .build();
  }

  private Behavior<Object> onPoolOpened(PoolOpened result) {
    isOpened = true;
    pool = result.pool();
    if (result.failure() != null) {
      refusal = error(result.failure());
    }
    askers.forEach(this::answer);
    return closeIfEnded();
  }

  private static DocaError error(Throwable failure) {
    return failure instanceof DocaException doca
        ? doca.error()
        : DocaError.of("open pool", DocaCode.UNKNOWN.value(), failure.toString());
  }

  /** The answer begins the stream. */
  private Behavior<Object> onGetInfo(GetInfo question) {
    if (isOpened) {
      answer(question.replyTo());
    } else {
      askers.add(question.replyTo());
    }
    return Behaviors.same();
  }

  private void answer(ActorRef<ConnectionInfo> asker) {
    asker.tell(new ConnectionInfo(messageBytes, 0, sends.size(), ""));
  }

  private Behavior<Object> onSend(Send request) {
    Buffer src = pool == null || isEnded ? null : StreamPool.free(pool);
    if (src == null) {
      request.refuse(refusal);
      connection.tell(new Stop()); // after the answer, which has the cause
      return Behaviors.same();
    }
    StreamPool.fill(src, ByteString.fromArrayUnsafe(request.bytes()));
    sends.put(++sent, request);
    connection.tell(new RdmaConnectionProtocol.Send(src, sent, context.getSelf().unsafeUpcast()));
    return Behaviors.same();
  }

  private Behavior<Object> onReply(RdmaConnectionProtocol.Reply reply) {
    Buffer src = reply.src();
    if (src != null && reply.ownership() == Ownership.RETURNED) {
      src.release();
    }
    Send request = sends.remove(reply.tag());
    if (request == null) {
      throw new IllegalStateException("a second answer: " + reply);
    }
    if (reply instanceof RdmaConnectionProtocol.Completed) {
      request.replyTo().ifPresent(asker -> asker.tell(new Sent(request.tag())));
    } else if (reply instanceof RdmaConnectionProtocol.Failed failed) {
      request.refuse(failed.error());
    } else {
      request.refuse(
          DocaError.of("send", DocaCode.FULL.value(), "the queue of the connection is full"));
    }
    return closeIfEnded();
  }

  private Behavior<Object> onStop(Stop stop) {
    stop.replyTo().ifPresent(stops::add);
    connection.tell(new Stop());
    return Behaviors.same();
  }

  private Behavior<Object> onEnded() {
    isEnded = true;
    return closeIfEnded();
  }

  private Behavior<Object> closeIfEnded() {
    if (!isEnded || !isOpened || !sends.isEmpty()) {
      return Behaviors.same();
    }
    if (pool == null) {
      return onPoolClosed(new PoolClosed(null));
    }
    context.pipeToSelf(
        Failures.plain(memory.close(pool)), (done, failure) -> new PoolClosed(failure));
    return Behaviors.same();
  }

  private Behavior<Object> onPoolClosed(PoolClosed result) {
    Throwable failure = result.failure();
    Stopped outcome = failure == null ? Stopped.CLEAN : new Stopped(false, failure.toString());
    stops.forEach(asker -> asker.tell(outcome));
    return Behaviors.stopped();
  }
}
