package io.dpuactors.engine;

import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Starts an engine that fails, and prints the reason. A test runs this program in a second process.
 */
final class FailingStart {
  private FailingStart() {}

  public static void main(String[] arguments) {
    ActorSystem<Object> system =
        ActorSystem.create(
            Behaviors.setup(
                context -> {
                  context.watch(Engine.spawn(context, "one"));
                  return Behaviors.receive(Object.class)
                      .onSignal(
                          ChildFailed.class,
                          failed -> {
                            System.out.println(failed.getCause().getCause());
                            return Behaviors.stopped();
                          })
                      .build();
                }),
            "failing",
            ConfigFactory.parseResources("application-test.conf")
                .withFallback(ConfigFactory.load()));
    system.getWhenTerminated().toCompletableFuture().join();
  }
}
