package io.dpuactors.service;

import io.dpuactors.bridge.BatchResults;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.SendBatch;
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
import io.dpuactors.protocol.comch.ProducerProtocol.BatchBusy;
import io.dpuactors.protocol.comch.ProducerProtocol.BatchEnded;
import io.dpuactors.protocol.comch.ProducerProtocol.BatchFailed;
import io.dpuactors.protocol.comch.ProducerProtocol.BatchReply;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceBatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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
 * flight. They go in batches, of which one always waits behind the other, so that the device need
 * not wait for this actor. A session of {@link Sessions}.
 */
public final class BlockSender extends AbstractBehavior<Object> {
  /** Batches that are sent at once: work for the bridge while this actor wakes. */
  private static final int AHEAD = 2;

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

  /** What the producer has, for this consumer or one before. */
  private final Map<SendBatch, BlockLoan> loans = new HashMap<>();

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
        .onMessage(BatchEnded.class, this::onEnded)
        .onMessage(BatchFailed.class, this::onFailed)
        .onMessage(BatchBusy.class, this::onBusy)
        .onMessageEquals(BlockMemory.News.STRIPE_BACK, this::sendNext)
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
    while (consumer != 0 && loans.size() < AHEAD && next < memory.geometry().blocks()) {
      BlockLoan loan = memory.take(next, getContext().getSelf());
      if (loan == null) {
        timers.startSingleTimer(BlockMemory.News.STRIPE_BACK, PAUSE);
        return this;
      }
      loans.put(loan.batch(), loan);
      open.tell(
          new ProduceBatch(loan.batch(), consumer, consumer, getContext().getSelf().narrow()));
      next += loan.size();
    }
    return this;
  }

  private Behavior<Object> onEnded(BatchEnded reply) {
    BlockLoan loan = end(reply);
    BatchResults results = loan.batch().results();
    int failed = results.firstFailure();
    DocaError error = failed < 0 ? null : results.error(failed);
    // From here on the results may be those of somebody else's run.
    memory.giveBack(loan);
    if (reply.tag() != consumer) {
      return goOn();
    }
    if (error != null) {
      return leave(unlessEnd(error, "block " + (loan.first() + failed) + ": "));
    }
    sent += loan.size();
    if (sent == memory.geometry().blocks()) {
      consumer = 0;
    }
    return goOn();
  }

  /** It was asked for as many as may wait. */
  private Behavior<Object> onBusy(BatchBusy reply) {
    return leave("block " + back(reply).first() + ": the producer takes no send");
  }

  private Behavior<Object> onFailed(BatchFailed reply) {
    BlockLoan loan;
    if (reply.ownership() == Ownership.RETURNED) {
      loan = back(reply);
    } else {
      loan = end(reply);
      loan.lose();
    }
    return reply.tag() == consumer
        ? leave(unlessEnd(reply.error(), "block " + loan.first() + ": "))
        : goOn();
  }

  private static @Nullable String unlessEnd(DocaError error, String what) {
    return Lender.isEnd(error) ? null : what + error;
  }

  private BlockLoan back(BatchReply reply) {
    BlockLoan loan = end(reply);
    memory.giveBack(loan);
    return loan;
  }

  private BlockLoan end(BatchReply reply) {
    BlockLoan loan = loans.remove(reply.batch());
    if (loan == null) {
      throw new IllegalStateException(reply.batch() + " was not sent");
    }
    return loan;
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
    return loans.isEmpty() ? Behaviors.stopped() : this;
  }
}
