package io.dpuactors.benchmarks.soak;

import io.dpuactors.benchmarks.soak.SoakBuffers.Pair;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.TaskReply.Completed;
import java.util.SplittableRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a context of tasks. Their object is destroyed after some of them. After a failure
 * another one is created, because a restart of the context ends its objects.
 */
final class TaskWorkload<O> implements Workload {
  private static final int BUFFERS = 128;

  /** Number of requests with the same object. */
  private static final int USES = 500;

  private final RoundContexts round;
  private final Kind kind;
  private final TaskRecipe<O> recipe;
  private final SoakContext<LocalMessage> context;
  private final BufferPool pool;
  private @Nullable ActorRef<LocalMessage> creator;
  private @Nullable O object;
  private long failed;
  private int uses;

  private TaskWorkload(
      RoundContexts round,
      Kind kind,
      TaskRecipe<O> recipe,
      SoakContext<LocalMessage> context,
      BufferPool pool) {
    this.round = round;
    this.kind = kind;
    this.recipe = recipe;
    this.context = context;
    this.pool = pool;
  }

  /** Opens the context and the memory of a row. */
  static <O> TaskWorkload<O> open(RoundContexts round, Kind kind, TaskRecipe<O> recipe) {
    BufferPool pool = round.pool(0, PoolOptions.of(BUFFERS, SoakBuffers.CAPACITY));
    String name = recipe.library().shortName();
    return new TaskWorkload<>(round, kind, recipe, round.addTasks(name, recipe.library()), pool);
  }

  @Override
  public boolean send(SplittableRandom random) {
    ActorRef<LocalMessage> to = context.require();
    O usable = to == null ? null : object(to);
    Pair pair = usable == null ? null : SoakBuffers.lease(pool, pool);
    if (to == null || usable == null || pair == null) {
      return false;
    }
    SoakBuffers.fill(pair.src(), random);
    send(to, usable, pair);
    return true;
  }

  private void send(ActorRef<LocalMessage> to, O usable, Pair pair) {
    long tag =
        round.ledger().enter(kind, pair.src(), pair.dst(), answer -> isRight(usable, answer));
    to.tell(recipe.make().of(usable, pair.src(), pair.dst(), tag, round.answers(kind)));
  }

  private boolean isRight(O used, Answer answer) {
    return !(answer.reply() instanceof Completed done) || recipe.check().isRight(used, done);
  }

  /** Returns the object of the context, or another one; null: the context creates none now. */
  private @Nullable O object(ActorRef<LocalMessage> to) {
    long failures = round.ledger().of(kind).failed.get();
    O known = to.equals(creator) ? object : null;
    if (known != null && failures == failed && ++uses < USES) {
      return known;
    }
    if (known != null) {
      recipe.destroy().in(round.system(), to, known);
    }
    creator = to;
    object = recipe.create().in(round.system(), to);
    failed = failures;
    uses = 0;
    return object;
  }
}
