package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.Opened;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.comch.ConnectionEvent;
import io.dpuactors.protocol.comch.ConnectionEvent.Closed;
import io.dpuactors.protocol.comch.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.comch.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.comch.ConnectionProtocol.Send;
import io.dpuactors.protocol.comch.DataOptions;
import io.dpuactors.protocol.comch.ProducerProtocol;
import io.dpuactors.protocol.comch.ProducerProtocol.Produce;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceBusy;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.comch.ProducerProtocol.Produced;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of the data service: tells the geometry, and sends block after block as soon as
 * the client has a consumer; again from the first for each further consumer. A session of {@link
 * Sessions}.
 */
public final class BlockSender extends AbstractBehavior<Object> {
  private static final Duration PAUSE = Duration.ofMillis(1);

  /** What it tells itself: look for the block again that somebody else had. */
  private enum Tick {
    AGAIN
  }

  private final ActorRef<ConnectionProtocol.Command> connection;
  private final BlockMemory memory;
  private final TimerScheduler<Object> timers;
  private @Nullable ActorRef<ProducerProtocol.Command> producer;
  private int consumer;
  private int next;
  private @Nullable Buffer lent;
  private int lentTo;
  private boolean leaving;

  private BlockSender(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      ActorRef<ConnectionProtocol.Command> connection,
      BlockMemory memory) {
    super(context);
    this.timers = timers;
    this.connection = connection;
    this.memory = memory;
  }

  /**
   * Serves one connection.
   *
   * @param memory what all connections show; stays open as long as they live
   * @param withNul whether a NUL ends the geometry, for clients that take it for a C string
   */
  public static Behavior<ConnectionEvent> create(
      ActorRef<ConnectionProtocol.Command> connection, BlockMemory memory, boolean withNul) {
    return Behaviors.<Object>setup(
            context ->
                Behaviors.withTimers(
                    timers -> new BlockSender(context, timers, connection, memory).begin(withNul)))
        .narrow();
  }

  private Behavior<Object> begin(boolean withNul) {
    connection.tell(Send.orFail(memory.geometry().encode(withNul)));
    connection.tell(
        new OpenProducer("blocks", DataOptions.defaults(), getContext().getSelf().narrow()));
    return this;
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder()
        .onMessage(Produced.class, this::onProduced)
        .onMessage(ProduceFailed.class, this::onFailed)
        .onMessage(ProduceBusy.class, this::onBusy)
        .onMessageEquals(Tick.AGAIN, this::sendNext)
        .onMessage(ConsumerJoined.class, this::onConsumer)
        .onMessage(ConsumerLeft.class, this::onConsumerLeft)
        .onMessage(Opened.class, this::onOpened)
        .onMessage(OpenFailed.class, failed -> leave(unlessEnd(failed.error(), "")))
        .onMessage(Closed.class, closed -> leave(null))
        .onAnyMessage(other -> this)
        .build();
  }

  private Behavior<Object> onOpened(Opened<?> opened) {
    producer = opened.context().unsafeUpcast();
    return sendNext();
  }

  private Behavior<Object> onConsumer(ConsumerJoined joined) {
    if (consumer != 0) {
      return leave("it has a second consumer before the first has all blocks");
    }
    consumer = joined.consumer();
    next = 0;
    return sendNext();
  }

  private Behavior<Object> onConsumerLeft(ConsumerLeft left) {
    if (left.consumer() == consumer) {
      consumer = 0;
    }
    return this;
  }

  private Behavior<Object> sendNext() {
    ActorRef<ProducerProtocol.Command> open = producer;
    if (open == null || consumer == 0 || lent != null || leaving) {
      return this;
    }
    lent = memory.take(next);
    if (lent == null) {
      timers.startSingleTimer(Tick.AGAIN, PAUSE);
    } else {
      lentTo = consumer;
      open.tell(new Produce(lent, consumer, next, getContext().getSelf().narrow()));
    }
    return this;
  }

  private Behavior<Object> onProduced(Produced reply) {
    back(reply.tag());
    if (lentTo == consumer && ++next == memory.geometry().blocks()) {
      consumer = 0;
    }
    return leaving ? Behaviors.stopped() : sendNext();
  }

  private Behavior<Object> onBusy(ProduceBusy reply) {
    back(reply.tag());
    timers.startSingleTimer(Tick.AGAIN, PAUSE);
    return leaving ? Behaviors.stopped() : this;
  }

  private Behavior<Object> onFailed(ProduceFailed reply) {
    if (reply.ownership() == Ownership.RETURNED) {
      back(reply.tag());
    } else {
      lent = null;
    }
    boolean consumerLeft = lentTo != consumer;
    if (consumerLeft && !leaving) {
      return sendNext();
    }
    return leave(unlessEnd(reply.error(), "block " + reply.tag() + ": "));
  }

  private static @Nullable String unlessEnd(DocaError error, String what) {
    return Lender.isEnd(error) ? null : what + error;
  }

  private void back(long index) {
    Buffer block = lent;
    lent = null;
    if (block != null) {
      memory.giveBack((int) index, block);
    }
  }

  /**
   * Ends as soon as the block that is on its way has come back.
   *
   * @param why what the client did; null: it left
   */
  private Behavior<Object> leave(@Nullable String why) {
    if (why != null && !leaving) {
      getContext().getLog().warn("a client of the data service is sent away: {}", why);
      connection.tell(ConnectionProtocol.Stop.INSTANCE);
    }
    leaving = true;
    return lent == null ? Behaviors.stopped() : this;
  }
}
