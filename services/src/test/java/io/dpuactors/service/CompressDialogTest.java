package io.dpuactors.service;

import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.wire.CompressMessage.Hello;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the limit of the wait for members, on a manual clock. */
class CompressDialogTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ActorTestKit kit = ServiceRig.manualTime();
  private final ManualTime time = ManualTime.get(kit.system());
  private final TestProbe<ConnectionProtocol.Command> connection = kit.createTestProbe();
  private final TestProbe<Object> events = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  /** Spawns an actor that runs functions on a dialog, and forwards the messages of its timer. */
  private ActorRef<Object> dialog() {
    return kit.spawn(
        Behaviors.withTimers(
            timers -> {
              CompressDialog dialog =
                  new CompressDialog(
                      connection.getRef(),
                      timers,
                      new Hello(1024, 4),
                      new BlockCrc(),
                      welcome -> {});
              return Behaviors.receive(Object.class)
                  .onMessage(
                      Use.class,
                      use -> {
                        use.action().accept(dialog);
                        events.getRef().tell("used");
                        return Behaviors.same();
                      })
                  .onAnyMessage(
                      other -> {
                        events.getRef().tell(other);
                        return Behaviors.same();
                      })
                  .build();
            }));
  }

  private record Use(Consumer<CompressDialog> action) {}

  private void use(ActorRef<Object> dialog, Consumer<CompressDialog> action) {
    dialog.tell(new Use(action));
    events.expectMessage("used");
  }

  @Test
  void eachMemberHasALimit() {
    ActorRef<Object> dialog = dialog();
    use(dialog, d -> d.expectMembers(2));
    time.timePasses(LIMIT.minusSeconds(1));
    use(dialog, d -> d.expectMembers(1));
    time.timePasses(LIMIT.minusSeconds(1));
    use(dialog, d -> {});
    time.timePasses(Duration.ofSeconds(1));
    events.expectMessage(CompressDialog.Tick.LATE);
  }

  @Test
  void withoutBlocksThereIsNoLimit() {
    ActorRef<Object> dialog = dialog();
    use(dialog, d -> d.expectMembers(1));
    use(dialog, d -> d.expectMembers(0));
    time.timePasses(LIMIT.multipliedBy(2));
    use(dialog, d -> {});
  }

  @Test
  void membersDoNotEndTheWaitForTheTotals() {
    ActorRef<Object> dialog = dialog();
    use(dialog, CompressDialog::finish);
    use(dialog, d -> d.expectMembers(0));
    time.timePasses(LIMIT);
    events.expectMessage(CompressDialog.Tick.LATE);
  }
}
