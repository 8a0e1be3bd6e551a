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
import io.dpuactors.protocol.comch.ProducerProtocol.ProducerReply;
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
 * the client has a consumer; again from the first for each further consumer. One block is in
 * flight, some more wait behind it, so that the device need not wait for this actor. A session of
 * {@link Sessions}.
 */
public final class BlockSender extends AbstractBehavior<Object> {
  /** Blocks that are sent at once: work for the bridge while this actor wakes. */
  private static final int AHEAD = 4;

  /** Who waits for a block is told when it comes back; but not by a device that has kept it. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ActorRef<ConnectionProtocol.Command> connection;
  private final BlockMemory memory;
  private final TimerScheduler<Object> timers;
  private @Nullable ActorRef<ProducerProtocol.Command> producer;

  /** Who gets blocks; 0: nobody. */
  private int consumer;

  /** The next block that is asked for, and how many the consumer has. */
  private int next;

  private int sent;

  /** Blocks that the producer has, of this consumer or one before. */
  private int lent;

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
    DataOptions options = DataOptions.defaults().withWindow(1).withQueue(AHEAD);
    connection.tell(new OpenProducer("blocks", options, getContext().getSelf().narrow()));
    return this;
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder()
        .onMessage(Produced.class, this::onProduced)
        .onMessage(ProduceFailed.class, this::onFailed)
        .onMessage(ProduceBusy.class, this::onBusy)
        .onMessageEquals(BlockMemory.News.BLOCK_BACK, this::sendNext)
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
    sent = 0;
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
    if (open == null || leaving) {
      return this;
    }
    while (consumer != 0 && lent < AHEAD && next < memory.geometry().blocks()) {
      Buffer block = memory.take(next, getContext().getSelf());
      if (block == null) {
        timers.startSingleTimer(BlockMemory.News.BLOCK_BACK, PAUSE);
        return this;
      }
      lent++;
      open.tell(new Produce(block, consumer, tag(consumer, next), getContext().getSelf().narrow()));
      next++;
    }
    return this;
  }

  /** For whom a block is, and which it is. */
  private static long tag(int consumer, int index) {
    return (long) consumer << Integer.SIZE | index;
  }

  private static int consumerOf(long tag) {
    return (int) (tag >>> Integer.SIZE);
  }

  private static int indexOf(long tag) {
    return (int) tag;
  }

  private Behavior<Object> onProduced(Produced reply) {
    back(reply);
    if (consumerOf(reply.tag()) == consumer && ++sent == memory.geometry().blocks()) {
      consumer = 0;
    }
    return goOn();
  }

  /** It was asked for as many as may wait. */
  private Behavior<Object> onBusy(ProduceBusy reply) {
    back(reply);
    return leave("block " + indexOf(reply.tag()) + ": the producer takes no send");
  }

  private Behavior<Object> onFailed(ProduceFailed reply) {
    if (reply.ownership() == Ownership.RETURNED) {
      back(reply);
    } else {
      lent--;
    }
    if (consumerOf(reply.tag()) != consumer || leaving) {
      return goOn();
    }
    return leave(unlessEnd(reply.error(), "block " + indexOf(reply.tag()) + ": "));
  }

  private static @Nullable String unlessEnd(DocaError error, String what) {
    return Lender.isEnd(error) ? null : what + error;
  }

  private void back(ProducerReply reply) {
    lent--;
    Buffer block = reply.src();
    if (block != null) {
      memory.giveBack(indexOf(reply.tag()), block);
    }
  }

  private Behavior<Object> goOn() {
    return leaving ? onceBack() : sendNext();
  }

  /**
   * Ends as soon as the blocks that are on their way have come back.
   *
   * @param why what the client did; null: it left
   */
  private Behavior<Object> leave(@Nullable String why) {
    if (why != null && !leaving) {
      getContext().getLog().warn("a client of the data service is sent away: {}", why);
      connection.tell(ConnectionProtocol.Stop.INSTANCE);
    }
    leaving = true;
    return onceBack();
  }

  private Behavior<Object> onceBack() {
    return lent == 0 ? Behaviors.stopped() : this;
  }
}
