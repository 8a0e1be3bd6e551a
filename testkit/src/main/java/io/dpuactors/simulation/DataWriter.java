package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.protocol.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.simulation.FailingBehavior.Moment;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A producer of a server's connection. The writer sends numbered messages to each consumer of the
 * client, and one more after the consumer has left, which must fail.
 */
final class DataWriter {
  static final int MAX_BYTES = 256;

  /** Numbers of one writer. */
  static final int NUMBERS = 1000;

  private static final int BUFFERS = 4;
  private static final int AHEAD = 2;
  private static final byte[] LATE = {1};

  /** The begin of the description of a request that has timed out. */
  private static final String REQUEST = "send of ";

  /** Errors of a message to a consumer or a connection that has ended. */
  private static final Set<DocaCode> ENDS =
      EnumSet.of(DocaCode.NOT_CONNECTED, DocaCode.SHUTDOWN, DocaCode.CONNECTION_RESET);

  private final Run run;
  private final boolean isCalm;
  private final int firstNumber;
  private final ActorContext<Object> context;
  private final ActorRef<EngineProtocol.Command> engine;
  private final ActorRef<ConnectionProtocol.Command> connection;

  /** Numbers of the next messages, by consumer. */
  private final Map<Integer, Integer> next = new LinkedHashMap<>();

  private final Deadlines deadlines;
  private int requests;
  private @Nullable BufferPool pool;
  private @Nullable ActorRef<ProducerProtocol.Command> producer;

  private DataWriter(
      Run run,
      boolean isCalm,
      int writer,
      ActorContext<Object> context,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ConnectionProtocol.Command> connection) {
    this.run = run;
    this.isCalm = isCalm;
    this.firstNumber = writer * NUMBERS;
    this.context = context;
    this.engine = engine;
    this.connection = connection;
    this.deadlines = new Deadlines(run, "writer " + writer, Deadlines.of(run), false);
  }

  /**
   * Returns the behavior of a writer. The writer receives the events of consumers.
   *
   * @param writer unique in the run
   */
  static Behavior<Object> create(
      Run run,
      boolean isCalm,
      int writer,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ConnectionProtocol.Command> connection) {
    return FailingBehavior.of(
        run,
        isCalm,
        Object.class,
        Moment.OF_ACTORS,
        Behaviors.setup(
            context ->
                new DataWriter(run, isCalm, writer, context, engine, connection).behavior()));
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(ConsumerJoined.class, this::onJoined)
        .onMessage(ConsumerLeft.class, this::onLeft)
        .onMessage(PoolReply.class, this::onPool)
        .onMessage(ContextReply.class, this::onOpened)
        .onMessage(ProducerReply.class, this::onReply)
        .build();
  }

  private Behavior<Object> onJoined(ConsumerJoined joined) {
    boolean isFirst = next.isEmpty();
    next.put(joined.consumer(), 0);
    if (isFirst) {
      engine.tell(
          new OpenPool(
              PoolOptions.of(BUFFERS, MAX_BYTES).onDevice(EnginePair.DPU_DEVICE),
              context.getSelf().unsafeUpcast()));
    }
    begin(joined.consumer());
    return Behaviors.same();
  }

  private Behavior<Object> onPool(PoolReply reply) {
    if (reply instanceof PoolOpened opened) {
      pool = opened.pool();
      DataOptions options =
          DataOptions.defaults()
              .withWindow(run.oneOf(1, 4))
              .withQueue(BUFFERS)
              .withDeadline(Deadlines.of(run));
      connection.tell(new OpenProducer("producer", options, context.getSelf().unsafeUpcast()));
    } else {
      run.check(!isCalm, "no pool: " + reply);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onOpened(ContextReply<?> reply) {
    if (reply instanceof ProducerProtocol.Opened opened) {
      producer = opened.context();
      next.keySet().forEach(this::begin);
    } else {
      run.check(!isCalm, "no producer: " + reply);
    }
    return Behaviors.same();
  }

  private void begin(int consumer) {
    for (int i = 0; i < AHEAD; i++) {
      send(consumer);
    }
  }

  private void send(int consumer) {
    Integer number = next.get(consumer);
    if (producer == null || pool == null || number == null || number == DataReader.MESSAGES) {
      return;
    }
    Buffer src = pool.isClosed() ? null : pool.lease();
    if (src != null) {
      byte[] bytes =
          EchoMessage.of(firstNumber + number, run.draw(EchoMessage.MIN_BYTES, MAX_BYTES));
      src.bytes().clear().put(bytes);
      src.length(bytes.length);
      next.put(consumer, number + 1);
      producer.tell(new Produce(src, consumer, tag(consumer), context.getSelf().narrow()));
    }
  }

  /** Returns the tag of a new request. The lower half of the tag is the consumer. */
  private long tag(int consumer) {
    long tag = ((long) requests++ << Integer.SIZE) | consumer;
    deadlines.sent(tag);
    return tag;
  }

  private Behavior<Object> onLeft(ConsumerLeft left) {
    next.remove(left.consumer());
    if (producer != null) {
      int consumer = left.consumer();
      producer.tell(new Produce(null, LATE, consumer, tag(consumer), context.getSelf().narrow()));
    }
    return Behaviors.same();
  }

  /**
   * Returns the error of a failed request; null if a message that timed out ended the connection.
   */
  private static @Nullable DocaError ownError(ProducerReply reply) {
    DocaError error = reply instanceof ProduceFailed failed ? failed.error() : null;
    boolean isOfConnection =
        error != null && error.code() == DocaCode.TIME_OUT && !error.about().startsWith(REQUEST);
    return isOfConnection ? null : error;
  }

  private Behavior<Object> onReply(ProducerReply reply) {
    boolean isLate = reply.src() == null;
    deadlines.answered(reply.tag(), ownError(reply));
    if (reply instanceof Produced) {
      run.check(!isLate, "sent to a consumer that has left");
    } else {
      DocaCode code = reply instanceof ProduceFailed failed ? failed.error().code() : DocaCode.FULL;
      run.check(!isCalm || (isLate && ENDS.contains(code)), "not sent: " + reply);
      run.reached("produce " + code);
    }
    Buffer src = reply.src();
    if (src != null && reply.ownership() == Ownership.RETURNED) {
      src.release();
    }
    send((int) reply.tag());
    return Behaviors.same();
  }
}
