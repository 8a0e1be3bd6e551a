package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerId;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.ConsumerProtocol.GetId;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.simulation.FailingBehavior.Moment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a client. The reader posts buffers, and a {@link DataWriter} fills them with
 * numbered messages. The numbers of these messages increase, and without disturbances none is
 * missing.
 */
final class DataReader {
  /** Number of messages that the writer sends. */
  static final int MESSAGES = 10;

  private static final int BUFFERS = 3;

  /** The message to this actor to post a buffer. */
  private enum Next {
    POST
  }

  private final EchoClient client;
  private final Run run;
  private final boolean isCalm;
  private final String name;
  private final Answers answers;
  private final ConsumerPace pace;

  /** The number of the last message of each writer: a restarted server has another one. */
  private final Map<Integer, Integer> last = new HashMap<>();

  private @Nullable BufferPool pool;
  private @Nullable ActorRef<ConsumerProtocol.Command> consumer;
  private int posted;
  private int received;
  private boolean hasEnded;

  DataReader(EchoClient client, Run run, boolean isCalm, String name) {
    this.client = client;
    this.run = run;
    this.isCalm = isCalm;
    this.name = name;
    this.answers = new Answers(run);
    this.pace = ConsumerPace.draw(run);
  }

  Behavior<Object> behavior(
      ActorRef<EngineProtocol.Command> engine, ActorRef<ConnectionProtocol.Command> connection) {
    return FailingBehavior.of(
        run, isCalm, Object.class, Moment.OF_ACTORS, reading(engine, connection));
  }

  private Behavior<Object> reading(
      ActorRef<EngineProtocol.Command> engine, ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.setup(
        context -> {
          PoolOptions options =
              PoolOptions.of(BUFFERS, DataWriter.MAX_BYTES)
                  .onDevice(EnginePair.HOST_DEVICE)
                  .withPermissions(Set.of(Permission.PCI_READ_WRITE));
          engine.tell(new OpenPool(options, answers.expect("pool", context.getSelf())));
          return Behaviors.receive(Object.class)
              .onMessage(PoolReply.class, reply -> onPool(context, connection, reply))
              .onMessage(ContextReply.class, reply -> onOpened(context, reply))
              .onMessage(ConsumerReply.class, reply -> onReply(context, reply))
              .onMessage(ConsumerId.class, this::onId)
              .onMessage(AwaitReply.class, reply -> onAwaited())
              .onMessageEquals(Next.POST, () -> post(context))
              .onSignal(Terminated.class, signal -> onEnd())
              .build();
        });
  }

  /** Returns whether no more messages arrive. */
  boolean isDone() {
    return hasEnded || received == MESSAGES;
  }

  private Behavior<Object> onPool(
      ActorContext<Object> context,
      ActorRef<ConnectionProtocol.Command> connection,
      PoolReply reply) {
    answers.answered("pool");
    if (!(reply instanceof PoolOpened opened)) {
      run.check(!isCalm, "no pool: " + reply);
      return onEnd();
    }
    pool = opened.pool();
    DataOptions options =
        DataOptions.into(opened.pool()).withWindow(run.oneOf(1, 4)).withQueue(BUFFERS);
    Duration within = Duration.ofMillis(run.oneOf(1, 1_000));
    connection.tell(new AwaitConsumer(within, answers.expect("await", context.getSelf())));
    connection.tell(
        new OpenConsumer(name, options, answers.expect("open consumer", context.getSelf())));
    return Behaviors.same();
  }

  private Behavior<Object> onOpened(ActorContext<Object> context, ContextReply<?> reply) {
    answers.answered("open consumer");
    if (!(reply instanceof ConsumerProtocol.Opened opened)) {
      run.check(!isCalm, "no consumer: " + reply);
      return onEnd();
    }
    consumer = opened.context();
    context.watch(opened.context());
    opened.context().tell(new GetId(answers.expect("id", context.getSelf())));
    for (int i = 0; i < BUFFERS; i++) {
      pace.tell(context, context.getSelf(), Next.POST);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onId(ConsumerId reply) {
    answers.answered("id");
    run.check(!isCalm || reply.id() > 0, "no id: " + reply);
    return Behaviors.same();
  }

  /** The server opens no consumer. */
  private Behavior<Object> onAwaited() {
    answers.answered("await");
    return Behaviors.same();
  }

  private Behavior<Object> post(ActorContext<Object> context) {
    Buffer dst = pool == null || pool.isClosed() || posted == MESSAGES ? null : pool.lease();
    if (dst != null && consumer != null) {
      consumer.tell(new Post(dst, posted++, answers.expect("post", context.getSelf())));
    }
    return Behaviors.same();
  }

  private Behavior<Object> onReply(ActorContext<Object> context, ConsumerReply reply) {
    answers.answered("post");
    if (reply instanceof Filled full) {
      onMessage(TaskModel.content(full.dst()));
    } else {
      DocaCode code = reply instanceof PostFailed failed ? failed.error().code() : DocaCode.FULL;
      run.check(!isCalm, "not received: " + reply);
      run.reached("post " + code);
    }
    if (reply.ownership() == Ownership.RETURNED) {
      reply.dst().release();
    }
    pace.tell(context, context.getSelf(), Next.POST);
    if (received == MESSAGES && consumer != null) {
      consumer.tell(new Stop());
    }
    return Behaviors.same();
  }

  /** Checks the order, unless a fault delays some receives. */
  private void onMessage(byte[] bytes) {
    received++;
    if (!EchoMessage.isIntact(bytes)) {
      client.addDamaged();
      return;
    }
    int writer = EchoMessage.number(bytes) / DataWriter.NUMBERS;
    int number = EchoMessage.number(bytes) % DataWriter.NUMBERS;
    int next = 1 + last.getOrDefault(writer, -1);
    last.put(writer, number);
    run.note(name + " received " + number);
    run.check(
        number >= next || run.faultCount("delayed") > 0,
        "message %d of %s arrived after %d",
        number,
        name,
        next - 1);
    run.check(!isCalm || number == next, "message %d of %s is missing", next, name);
    run.reached("data received");
  }

  private Behavior<Object> onEnd() {
    hasEnded = true;
    client.readerDone();
    return Behaviors.same();
  }

  /** Checks the answers when nothing happens any more. */
  void check() {
    answers.check();
  }
}
