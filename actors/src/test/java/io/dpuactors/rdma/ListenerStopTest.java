package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.RdmaClientEvent.Lost;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.rdma.ListenerRig.Served;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Ends a listener, a connection and a client in each state, by each event that can end it. Each end
 * is bounded, children end before parents, and no resource is left.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ListenerStopTest {
  private static final String SETTINGS = "dpu.rdma.restart.backoff = 1ms";

  /** An actor in a state, a client and its connections. */
  private record Scene(
      ActorRef<?> subject,
      List<ActorRef<RdmaConnectionProtocol.Command>> clients,
      List<Served> served) {
    void stop(ActorRef<Stopped> replyTo) {
      subject.<Object>unsafeUpcast().tell(new Stop(replyTo));
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
  private enum State {
    LISTENER_ALONE(rig -> new Scene(rig.listener, List.of(), List.of())),
    LISTENER_WITH_CONNECTION(rig -> pair(rig, rig.listener)),
    LISTENER_STOPPING(rig -> stopping(rig, sending(rig, rig.listener))),
    CONNECTION_IDLE(rig -> connection(pair(rig, rig.listener))),
    CONNECTION_SENDING(rig -> connection(sending(rig, rig.listener))),
    CONNECTION_STOPPING(rig -> stopping(rig, connection(sending(rig, rig.listener)))),
    CONNECTION_WITH_BLOCKED_BEHAVIOR(rig -> connection(blocked(rig))),
    CLIENT_IDLE(rig -> client(pair(rig, rig.listener))),
    CLIENT_SENDING(rig -> client(sending(rig, rig.listener))),
    CLIENT_STOPPING(rig -> stopping(rig, client(sending(rig, rig.listener)))),
    CLIENT_CONNECTING(ListenerStopTest::connecting),
    CLIENT_BACKING_OFF(ListenerStopTest::backingOff);

    private final Function<ListenerRig, Scene> entering;

    State(Function<ListenerRig, Scene> entering) {
      this.entering = entering;
    }
  }

  private static Scene pair(ListenerRig rig, ActorRef<?> subject) {
    var client = rig.client("client", rig.options());
    return new Scene(subject, List.of(client), List.of(rig.accepted()));
  }

  /** A task of each side is on the device. */
  private static Scene sending(ListenerRig rig, ActorRef<?> subject) {
    Scene pair = pair(rig, subject);
    FreshSoftDpu.DEVICE.faults("rdma-send:delay=100ms");
    rig.send(rig.clients, pair.clients.get(0), "slow");
    rig.send(rig.system.engine, pair.served.get(0).connection(), "slow");
    return pair;
  }

  private static Scene blocked(ListenerRig rig) {
    Scene pair = pair(rig, rig.listener);
    rig.send(rig.clients, pair.clients.get(0), "block");
    rig.blockPoint.awaitBlocked();
    return pair;
  }

  private static Scene connection(Scene pair) {
    return new Scene(pair.served.get(0).connection(), pair.clients, pair.served);
  }

  private static Scene client(Scene pair) {
    return new Scene(pair.clients.get(0), pair.clients, pair.served);
  }

  private static Scene stopping(ListenerRig rig, Scene scene) {
    scene.stop(rig.system.kit.<Stopped>createTestProbe().getRef());
    return scene;
  }

  /** The listener's engine is blocked, so that it does not accept. */
  private static Scene connecting(ListenerRig rig) {
    Scene blocked = blocked(rig);
    rig.openClient("late", rig.options().withSupervision(ListenerRig.again(10)));
    rig.awaitConnecting();
    var late = rig.clientOf("late");
    return new Scene(late, List.of(blocked.clients.get(0), late), blocked.served);
  }

  /** The client waits for the end of a delay that no test outlives. */
  private static Scene backingOff(ListenerRig rig) {
    var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(60_000)));
    Served served = rig.accepted();
    served.connection().tell(new Stop());
    rig.life.fishForMessage(ListenerRig.SOON, ListenerRig.until(Lost.class));
    return new Scene(client, List.of(client), List.of(served));
  }

  @ParameterizedTest
  @EnumSource
  void itIsStopped(State state) {
    try (ListenerRig rig = ListenerRig.create(SETTINGS)) {
      Scene scene = state.entering.apply(rig);
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      scene.stop(stopped.getRef());
      rig.blockPoint.release();
      if (state != State.CONNECTION_STOPPING && state != State.CLIENT_STOPPING) {
        assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
      }
      rig.endings.await(List.of(scene.subject));
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource
  void itsContextIsStopped(State state) {
    try (ListenerRig rig = ListenerRig.create(SETTINGS)) {
      Scene scene = state.entering.apply(rig);
      boolean isClient = state.name().startsWith("CLIENT");
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      (isClient ? rig.there : rig.here).tell(new Stop(stopped.getRef()));
      rig.blockPoint.release();
      assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
      rig.endings.await(List.of(scene.subject));
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource
  void itsEngineIsStopped(State state) {
    try (ListenerRig rig = ListenerRig.create(SETTINGS)) {
      Scene scene = state.entering.apply(rig);
      boolean isClient = state.name().startsWith("CLIENT");
      ActorRef<EngineProtocol.Command> engine = isClient ? rig.clients : rig.system.engine;
      rig.endings.watch(engine);
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      engine.tell(new Stop(stopped.getRef()));
      rig.blockPoint.release();
      assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
      rig.endings.await(List.of(scene.subject, engine));
      rig.assertNothingLeft();
    }
  }

  /** The listener survives the ends of its clients; a client ends with its connection. */
  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"LISTENER_ALONE", "CLIENT_CONNECTING"})
  void itsPeerStops(State state) {
    try (ListenerRig rig = ListenerRig.create(SETTINGS)) {
      Scene scene = state.entering.apply(rig);
      List<ActorRef<?>> die = new ArrayList<>();
      scene.served.forEach(one -> die.addAll(List.of(one.connection(), one.behavior())));
      if (state.name().startsWith("CLIENT")) {
        scene.served.forEach(one -> one.connection().tell(new Stop()));
      } else {
        scene.clients.forEach(one -> one.tell(new Stop()));
      }
      rig.blockPoint.release();
      if (state != State.CLIENT_BACKING_OFF) {
        die.addAll(scene.clients);
      }
      rig.endings.await(die);
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.MATCH_ALL, names = "CLIENT_(IDLE|SENDING|STOPPING)")
  @ExpectedLog(value = "there: the context stopped by itself", always = false)
  void theDeviceOfAClientIsLost(State state) {
    lose(state, true);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.MATCH_ALL,
      names = "(LISTENER_WITH_CONNECTION|LISTENER_STOPPING|CONNECTION_(IDLE|SENDING|STOPPING))")
  @ExpectedLog(value = "here: the context stopped by itself", always = false)
  void theDeviceOfAListenerIsLost(State state) {
    lose(state, false);
  }

  private static void lose(State state, boolean ofClient) {
    try (ListenerRig rig = ListenerRig.create(SETTINGS)) {
      Scene scene = state.entering.apply(rig);
      rig.loseDevice(ofClient);
      List<ActorRef<?>> die = new ArrayList<>(scene.clients);
      scene.served.forEach(one -> die.addAll(List.of(one.connection(), one.behavior())));
      rig.endings.await(die);
      scene.stop(rig.system.kit.<Stopped>createTestProbe().getRef());
      rig.endings.await(List.of(scene.subject));
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LISTENER_WITH_CONNECTION", "CONNECTION_SENDING", "CLIENT_SENDING"})
  @ExpectedLog("as the test has asked")
  void aBehaviorThrows(State state) {
    try (ListenerRig rig = ListenerRig.create(SETTINGS)) {
      Scene scene = state.entering.apply(rig);
      rig.send(rig.clients, scene.clients.get(0), "throw");
      List<ActorRef<?>> die = new ArrayList<>(scene.clients);
      scene.served.forEach(one -> die.addAll(List.of(one.connection(), one.behavior())));
      rig.endings.await(die);
      rig.awaitOpen();
      rig.assertNothingLeft();
    }
  }
}
