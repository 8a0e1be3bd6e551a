package io.dpuactors.service;

import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.wire.RdmaOffer;
import io.dpuactors.wire.WireException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of the RDMA service, one per connection. The meter waits for the server's offer,
 * and runs one {@link Load} after the other. The meter fails if it waits for a message of a silent
 * server.
 */
public final class RdmaMeter extends AbstractBehavior<RdmaMeter.Command> {
  /** Kind of the measured tasks. */
  public enum Operation {
    /** Writes memory of the server. */
    WRITE,
    /** Reads memory of the server. */
    READ,
    /** Sends messages. */
    SEND,
    /** Adds 1 to a number of the server. */
    ATOMIC
  }

  /**
   * Tasks of one kind.
   *
   * @param size of each task in bytes; 8 for ATOMIC
   * @param count number of tasks, a multiple of the batch
   * @param verify check the content afterwards
   */
  public record Load(Operation operation, int size, long count, boolean verify) {}

  /** A message to this actor. */
  public sealed interface Command {}

  /**
   * Runs tasks. One run at a time.
   *
   * @param replyTo receives {@link Measured} or {@link MeterFailed}
   */
  public record Run(Load load, ActorRef<? super Result> replyTo) implements Command {}

  private record FromServer(Event event) implements Command {}

  private record Memory(PoolReply reply) implements Command {}

  private record Answered(Reply reply) implements Command {}

  private record BatchAnswered(BatchReply reply) implements Command {}

  private enum Tick implements Command {
    CHECK
  }

  /** A report of this actor. */
  public sealed interface Result {}

  /** The server has offered memory, and the buffers are ready. */
  public record Ready(ActorRef<Command> meter, RdmaOffer offer) implements Result {}

  /**
   * All tasks have completed.
   *
   * @param beginNs begin of the first task, in {@link System#nanoTime}
   * @param endNs end of the last task
   * @param isCorrect whether the content is correct, or was not checked
   */
  public record Measured(long beginNs, long endNs, boolean isCorrect) implements Result {}

  /**
   * The connection is over.
   *
   * @param why message for users
   */
  public record MeterFailed(String why) implements Result {}

  /**
   * Options of a client.
   *
   * @param engine of the connection
   * @param owner context of the connection
   * @param device PCI address of the context's device
   * @param bytes size of the largest task
   * @param parallel number of tasks in flight, a multiple of {@code batch}
   * @param batch tasks of each request; 1: no batches
   * @param timesNs receives the time of each request; called on the engine's thread
   */
  public record MeterOptions(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<RdmaProtocol.Command> owner,
      String device,
      int bytes,
      int parallel,
      int batch,
      LongConsumer timesNs) {}

  private final ActorRef<RdmaConnectionProtocol.Command> connection;
  private final MeterOptions options;
  private final TimerScheduler<Command> timers;
  private final Duration limit;
  private final StallCheck stall = new StallCheck();

  /** Number of messages and replies of the connection. */
  private long heard;

  private ActorRef<? super Result> replyTo;
  private boolean isAnswered;
  private @Nullable RdmaOffer offer;
  private @Nullable RdmaPools memory;
  private @Nullable RdmaSlots slots;
  private @Nullable RdmaRun run;

  private RdmaMeter(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      ActorRef<RdmaConnectionProtocol.Command> connection,
      MeterOptions options,
      Duration limit,
      ActorRef<? super Result> replyTo) {
    super(context);
    this.timers = timers;
    this.connection = connection;
    this.options = options;
    this.limit = limit;
    this.replyTo = replyTo;
    beginChecks();
  }

  /**
   * Returns the behavior of a client's connection.
   *
   * @param replyTo receives {@link Ready} or {@link MeterFailed}
   */
  public static PeerBehavior of(MeterOptions options, ActorRef<? super Result> replyTo) {
    return of(options, TransferEnd.LIMIT, replyTo);
  }

  static PeerBehavior of(MeterOptions options, Duration limit, ActorRef<? super Result> replyTo) {
    return PeerBehavior.<Command>of(
        FromServer::new,
        connection ->
            Behaviors.setup(
                context ->
                    Behaviors.withTimers(
                        timers ->
                            new RdmaMeter(context, timers, connection, options, limit, replyTo))));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Answered.class, message -> onAnswered(run -> run.on(message.reply())))
        .onMessage(BatchAnswered.class, message -> onAnswered(run -> run.on(message.reply())))
        .onMessage(FromServer.class, message -> onEvent(message.event()))
        .onMessage(Memory.class, message -> onMemory(message.reply()))
        .onMessage(Run.class, this::onRun)
        .onMessageEquals(Tick.CHECK, this::onCheck)
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private void answer(Result result) {
    if (!isAnswered) {
      isAnswered = true;
      timers.cancel(Tick.CHECK);
      replyTo.tell(result);
    }
  }

  private void beginChecks() {
    stall.reset();
    timers.startTimerWithFixedDelay(Tick.CHECK, limit.dividedBy(StallCheck.CHECKS));
  }

  /** Fails if a message of the server is missing. Tasks have a deadline of the connection. */
  private Behavior<Command> onCheck() {
    boolean isWaiting = offer == null || (run != null && run.isWaitingForServer());
    return stall.isStalled(heard, isWaiting)
        ? fail("the server sent nothing for %d s".formatted(limit.toSeconds()))
        : this;
  }

  private Behavior<Command> fail(String why) {
    answer(new MeterFailed(why));
    return Behaviors.stopped();
  }

  private Behavior<Command> onEvent(Event event) {
    heard++;
    if (event instanceof Closed closed) {
      return fail(
          "the connection has ended: "
              + closed.error().map(Object::toString).orElse("closed by this side"));
    }
    if (!(event instanceof Message message)) {
      return this;
    }
    if (offer == null) {
      return onOffer(message.bytes());
    }
    if (run != null) {
      run.received(message.bytes());
    }
    return this;
  }

  private Behavior<Command> onOffer(byte[] bytes) {
    try {
      RdmaOffer decoded = RdmaOffer.decode(bytes);
      offer = decoded;
      memory =
          new RdmaPools(
              options, decoded, getContext().messageAdapter(PoolReply.class, Memory::new));
      return this;
    } catch (WireException e) {
      return fail(String.valueOf(e.getMessage()));
    }
  }

  private Behavior<Command> onMemory(PoolReply reply) {
    RdmaPools pools = memory;
    Optional<String> obstacle = pools == null ? Optional.empty() : pools.on(reply);
    if (obstacle.isPresent()) {
      return fail(obstacle.get());
    }
    slots = pools == null ? null : pools.slots();
    if (slots != null && offer != null) {
      answer(new Ready(getContext().getSelf(), offer));
    }
    return this;
  }

  private Behavior<Command> onRun(Run command) {
    RdmaSlots ready = slots;
    RdmaOffer known = offer;
    if (ready == null || known == null || !isAnswered) {
      command.replyTo().tell(new MeterFailed("the connection is not ready"));
      return this;
    }
    replyTo = command.replyTo();
    isAnswered = false;
    beginChecks();
    RdmaRequests requests =
        new RdmaRequests(
            connection,
            getContext().messageAdapter(Reply.class, Answered::new),
            getContext().messageAdapter(BatchReply.class, BatchAnswered::new),
            ready,
            options.batch());
    RdmaRun fresh = new RdmaRun(requests, known, ready, command.load(), options, run, this::answer);
    run = fresh;
    fresh.begin();
    return this;
  }

  private Behavior<Command> onAnswered(Function<RdmaRun, Optional<String>> answer) {
    heard++;
    return Optional.ofNullable(run).flatMap(answer).map(this::fail).orElse(this);
  }

  private Behavior<Command> onEnd() {
    answer(new MeterFailed("the client was stopped"));
    if (run != null) {
      run.end();
    }
    if (memory != null) {
      memory.close(getContext().getSystem());
    }
    return this;
  }
}
