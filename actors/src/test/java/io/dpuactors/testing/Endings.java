package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;

/** Records the order in which actors end, from their {@code Terminated} signals. */
public final class Endings {
  private static final Duration BOUND = Duration.ofSeconds(10);

  /** Request to watch an actor. */
  private record Watch(ActorRef<?> actor, CountDownLatch begun) {}

  private final Queue<ActorRef<?>> ended = new ConcurrentLinkedQueue<>();
  private final ActorRef<Watch> watcher;

  public Endings(ActorTestKit kit) {
    watcher =
        kit.spawn(
            Behaviors.setup(
                context ->
                    Behaviors.receive(Watch.class)
                        .onMessage(
                            Watch.class,
                            watch -> {
                              context.watch(watch.actor);
                              watch.begun.countDown();
                              return Behaviors.same();
                            })
                        .onSignal(
                            Terminated.class,
                            signal -> {
                              ended.add(signal.getRef());
                              return Behaviors.same();
                            })
                        .build()));
  }

  /** Records the end of this actor from now on. */
  public <T> ActorRef<T> watch(ActorRef<T> actor) {
    CountDownLatch begun = new CountDownLatch(1);
    watcher.tell(new Watch(actor, begun));
    Awaitility.await()
        .atMost(BOUND)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> begun.getCount() == 0);
    return actor;
  }

  /** Waits until all of these actors have ended. */
  public void await(List<? extends ActorRef<?>> actors) {
    Awaitility.await("the end of " + actors)
        .atMost(BOUND)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> ended.containsAll(actors));
  }

  /** Returns whether this actor has ended. */
  public boolean hasEnded(ActorRef<?> actor) {
    return ended.contains(actor);
  }

  /** Asserts that no recorded actor has ended before one of its descendants. */
  public void assertChildrenFirst() {
    List<String> paths = new ArrayList<>();
    ended.forEach(actor -> paths.add(actor.path().toStringWithoutAddress()));
    for (int i = 0; i < paths.size(); i++) {
      String parent = paths.get(i) + "/";
      assertThat(paths.subList(i + 1, paths.size()))
          .as("ended after " + paths.get(i))
          .noneMatch(path -> path.startsWith(parent));
    }
  }
}
