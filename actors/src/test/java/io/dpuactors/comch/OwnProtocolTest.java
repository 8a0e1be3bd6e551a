package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests connection behaviors that have a protocol of the program, on both sides. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class OwnProtocolTest {
  private static final String SERVICE = "test-own";

  private sealed interface Command {}

  private record Event(ConnectionEvent event) implements Command {}

  /** A text from outside of the connection: a timer, a future, another actor. */
  private record Text(String text) implements Command {}

  /** Answers each message by the way that it names. */
  private static final class Responder {
    private final ActorContext<Command> context;
    private final TimerScheduler<Command> timers;
    private final ActorRef<ConnectionProtocol.Command> connection;

    private Responder(
        ActorContext<Command> context,
        TimerScheduler<Command> timers,
        ActorRef<ConnectionProtocol.Command> connection) {
      this.context = context;
      this.timers = timers;
      this.connection = connection;
    }

    static Behavior<Command> create(ActorRef<ConnectionProtocol.Command> connection) {
      return Behaviors.setup(
          context ->
              Behaviors.withTimers(
                  timers -> new Responder(context, timers, connection).receiving()));
    }

    private Behavior<Command> receiving() {
      return Behaviors.receive(Command.class)
          .onMessage(Event.class, this::onEvent)
          .onMessage(Text.class, this::onText)
          .build();
    }

    private Behavior<Command> onEvent(Event event) {
      if (event.event() instanceof Message message) {
        Text answer = new Text("by " + message.text());
        switch (message.text()) {
          case "timer" -> timers.startSingleTimer(answer, Duration.ofMillis(1));
          case "future" ->
              context.pipeToSelf(
                  CompletableFuture.completedFuture(answer), (value, failure) -> value);
          case "self" -> context.getSelf().tell(answer);
          default -> throw new IllegalStateException(message.text());
        }
      }
      return Behaviors.same();
    }

    private Behavior<Command> onText(Text text) {
      connection.tell(Send.orFail(text.text()));
      return Behaviors.same();
    }
  }

  @Test
  @ExpectedLog("saw failure: die")
  void aServersBehaviorReceivesEventsTimersAndResultsAsItsMessages() {
    ServerOptions options =
        ServerOptions.of(SERVICE, Event::new, Responder::create)
            .withConnections(
                ConnectionOptions.defaults().withSupervision(SupervisorStrategy.restart()));
    try (RunningSystem system = RunningSystem.create()) {
      ComchPair.server(system, options);
      ActorRef<EngineProtocol.Command> two = system.spawnEngine("two");
      TestProbe<ConnectionEvent> events = system.kit.createTestProbe();
      ActorRef<ConnectionProtocol.Command> client =
          ComchPair.client(system, two, "client", ClientOptions.of(SERVICE));
      client.tell(new ConnectionProtocol.Subscribe(events.getRef(), 16));
      for (String way : new String[] {"timer", "future", "self", "die", "self"}) {
        client.tell(Send.orFail(way));
        if (!way.equals("die")) {
          assertThat(events.expectMessageClass(Message.class).text()).isEqualTo("by " + way);
        }
      }
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aClientsBehaviorReceivesEventsAsItsMessages() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<Command> events = system.kit.createTestProbe();
      ComchPair.server(system, ServerOptions.of(SERVICE, connection -> greeting(connection)));
      ActorRef<EngineProtocol.Command> two = system.spawnEngine("two");
      ActorRef<ConnectionProtocol.Command> client =
          ComchPair.client(
              system,
              two,
              "client",
              ClientOptions.of(SERVICE)
                  .withBehavior(
                      Event::new,
                      connection ->
                          Behaviors.receiveMessage(
                              (Command command) -> {
                                events.getRef().tell(command);
                                return Behaviors.same();
                              })));
      Event first = events.expectMessageClass(Event.class);
      assertThat(((Message) first.event()).text()).isEqualTo("welcome");
      client.tell(new Stop());
      assertThat(events.expectMessageClass(Event.class).event()).isInstanceOf(Closed.class);
      events.expectTerminated(client);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static Behavior<ConnectionEvent> greeting(
      ActorRef<ConnectionProtocol.Command> connection) {
    connection.tell(Send.orFail("welcome"));
    return Behaviors.receiveMessage(event -> Behaviors.same());
  }
}
