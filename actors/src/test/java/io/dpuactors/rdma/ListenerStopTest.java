package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.RdmaClientEvent.Lost;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaProtocol.Exported;
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
import org.junit.jupiter.api.Test;
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

  /** The second restart of a context takes longer than a test. */
  private static final String SLOW = "dpu.rdma.restart { backoff = 1h, backoff-max = 1h }";

  /** An actor in a state, a client and its connections. */
  private record Prepared(
      ActorRef<?> subject,
      List<ActorRef<RdmaConnectionProtocol.Command>> clients,
      List<Served> served) {
    void stop(ActorRef<Stopped> replyTo) {
      subject.<Object>unsafeUpcast().tell(new Stop(replyTo));
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
  private enum State {
    LISTENER_ALONE(rig -> new Prepared(rig.listener, List.of(), List.of())),
    LISTENER_WITH_CONNECTION(rig -> pair(rig, rig.listener)),
    LISTENER_STOPPING(rig -> stopping(rig, sending(rig, rig.listener))),
    LISTENER_WITH_REQUEST(ListenerStopTest::requested),
    LISTENER_OF_CONTEXT_BACKING_OFF(SLOW, ListenerStopTest::contextBackingOff),
    CONNECTION_IDLE(rig -> connection(pair(rig, rig.listener))),
    CONNECTION_SENDING(rig -> connection(sending(rig, rig.listener))),
    CONNECTION_STOPPING(rig -> stopping(rig, connection(sending(rig, rig.listener)))),
    CONNECTION_WITH_BLOCKED_BEHAVIOR(rig -> connection(blocked(rig))),
    EXPORTED_WAITING(ListenerStopTest::waiting),
    EXPORTED_CONNECTED(ListenerStopTest::connected),
    CLIENT_IDLE(rig -> client(pair(rig, rig.listener))),
    CLIENT_SENDING(rig -> client(sending(rig, rig.listener))),
    CLIENT_STOPPING(rig -> stopping(rig, client(sending(rig, rig.listener)))),
    CLIENT_CONNECTING(ListenerStopTest::connecting),
    CLIENT_BACKING_OFF(ListenerStopTest::backingOff);

    private final String settings;
    private final Function<ListenerRig, Prepared> entering;

    State(Function<ListenerRig, Prepared> entering) {
      this(SETTINGS, entering);
    }

    State(String settings, Function<ListenerRig, Prepared> entering) {
      this.settings = settings;
      this.entering = entering;
    }
  }

  private static Prepared pair(ListenerRig rig, ActorRef<?> subject) {
    var client = rig.client("client", rig.options());
    return new Prepared(subject, List.of(client), List.of(rig.accepted()));
  }

  /** A task of each side is on the device. */
  private static Prepared sending(ListenerRig rig, ActorRef<?> subject) {
    Prepared pair = pair(rig, subject);
    FreshSoftDpu.DEVICE.faults("rdma-send:delay=100ms");
    rig.send(rig.clients, pair.clients.get(0), "slow");
    rig.send(rig.system.engine, pair.served.get(0).connection(), "slow");
    return pair;
  }

  private static Prepared blocked(ListenerRig rig) {
    Prepared pair = pair(rig, rig.listener);
    rig.send(rig.clients, pair.clients.get(0), "block");
    rig.blockPoint.awaitBlocked();
    return pair;
  }

  private static Prepared connection(Prepared pair) {
    return new Prepared(pair.served.get(0).connection(), pair.clients, pair.served);
  }

  private static Prepared client(Prepared pair) {
    return new Prepared(pair.clients.get(0), pair.clients, pair.served);
  }

  private static Prepared stopping(ListenerRig rig, Prepared prepared) {
    prepared.stop(rig.system.kit.<Stopped>createTestProbe().getRef());
    return prepared;
  }

  /** The request of a client has arrived at the device. The listener's engine is blocked. */
  private static Prepared requested(ListenerRig rig) {
    Prepared connecting = connecting(rig);
    return new Prepared(rig.listener, connecting.clients, connecting.served);
  }

  /** The context waits before its second restart, and its listener does not listen. */
  private static Prepared contextBackingOff(ListenerRig rig) {
    var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(10)));
    for (int i = 0; i < 2; i++) {
      Served served = rig.accepted();
      FreshSoftDpu.DEVICE.faults("rdma-send:lost:nth=1");
      rig.send(rig.system.engine, served.connection(), "lost");
      rig.endings.await(List.of(served.connection(), served.behavior()));
      FreshSoftDpu.DEVICE.clearFaults();
    }
    return new Prepared(rig.listener, List.of(client), List.of());
  }

  /** The peer's description has not arrived. */
  private static Prepared waiting(ListenerRig rig) {
    var exported = rig.exported(rig.here).connection();
    rig.send(rig.system.engine, exported, "waits");
    return new Prepared(exported, List.of(), List.of());
  }

  private static Prepared connected(ListenerRig rig) {
    Exported here = rig.exported(rig.here);
    Exported there = rig.exported(rig.there);
    rig.connect(here.connection(), there.details());
    rig.connect(there.connection(), here.details());
    List<Served> both = List.of(rig.accepted(), rig.accepted());
    Served served = both.get(both.get(0).connection().equals(here.connection()) ? 0 : 1);
    return new Prepared(here.connection(), List.of(there.connection()), List.of(served));
  }

  /** The listener's engine is blocked, so that it does not accept. */
  private static Prepared connecting(ListenerRig rig) {
    Prepared blocked = blocked(rig);
    rig.openClient("late", rig.options().withSupervision(ListenerRig.again(10)));
    rig.awaitConnecting();
    var late = rig.clientOf("late");
    return new Prepared(late, List.of(blocked.clients.get(0), late), blocked.served);
  }

  /** The client waits for the end of a delay that no test outlives. */
  private static Prepared backingOff(ListenerRig rig) {
    var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(60_000)));
    Served served = rig.accepted();
    served.connection().tell(new Stop());
    rig.life.fishForMessage(ListenerRig.SOON, ListenerRig.until(Lost.class));
    return new Prepared(client, List.of(client), List.of(served));
  }

  @ParameterizedTest
  @EnumSource
  @ExpectedLog(value = "here: the context stopped by itself", always = false)
  void itIsStopped(State state) {
    try (ListenerRig rig = ListenerRig.create(state.settings)) {
      Prepared prepared = state.entering.apply(rig);
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      prepared.stop(stopped.getRef());
      rig.blockPoint.release();
      if (state != State.CONNECTION_STOPPING && state != State.CLIENT_STOPPING) {
        assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
      }
      rig.endings.await(List.of(prepared.subject));
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource
  @ExpectedLog(value = "here: the context stopped by itself", always = false)
  void itsContextIsStopped(State state) {
    try (ListenerRig rig = ListenerRig.create(state.settings)) {
      Prepared prepared = state.entering.apply(rig);
      boolean isClient = state.name().startsWith("CLIENT");
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      (isClient ? rig.there : rig.here).tell(new Stop(stopped.getRef()));
      rig.blockPoint.release();
      assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
      rig.endings.await(List.of(prepared.subject));
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource
  @ExpectedLog(value = "here: the context stopped by itself", always = false)
  void itsEngineIsStopped(State state) {
    try (ListenerRig rig = ListenerRig.create(state.settings)) {
      Prepared prepared = state.entering.apply(rig);
      boolean isClient = state.name().startsWith("CLIENT");
      ActorRef<EngineProtocol.Command> engine = isClient ? rig.clients : rig.system.engine;
      rig.endings.watch(engine);
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      engine.tell(new Stop(stopped.getRef()));
      rig.blockPoint.release();
      assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
      rig.endings.await(List.of(prepared.subject, engine));
      rig.assertNothingLeft();
    }
  }

  /** The attempt to connect continues when its context has ended. */
  @Test
  @ExpectedLog("abandoned")
  void theContextOfAClientWithALongRequestTimeoutIsStopped() {
    try (ListenerRig rig =
        ListenerRig.create("dpu.rdma { request-timeout = 60s, stop-deadline = 50ms }")) {
      Prepared prepared = State.CLIENT_CONNECTING.entering.apply(rig);
      rig.endings.watch(rig.there).tell(new Stop());
      rig.endings.await(List.of(prepared.subject, rig.there));
      rig.blockPoint.release();
      rig.assertNothingLeft();
    }
  }

  /** The listener survives the ends of its clients; a client ends with its connection. */
  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {
        "LISTENER_ALONE",
        "LISTENER_OF_CONTEXT_BACKING_OFF",
        "EXPORTED_WAITING",
        "CLIENT_CONNECTING"
      })
  void itsPeerStops(State state) {
    try (ListenerRig rig = ListenerRig.create(state.settings)) {
      Prepared prepared = state.entering.apply(rig);
      List<ActorRef<?>> ending = new ArrayList<>();
      prepared.served.forEach(one -> ending.addAll(List.of(one.connection(), one.behavior())));
      if (state.name().startsWith("CLIENT")) {
        prepared.served.forEach(one -> one.connection().tell(new Stop()));
      } else {
        prepared.clients.forEach(one -> one.tell(new Stop()));
      }
      rig.blockPoint.release();
      if (state != State.CLIENT_BACKING_OFF) {
        ending.addAll(prepared.clients);
      }
      rig.endings.await(ending);
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
      names =
          "(LISTENER_WITH_CONNECTION|LISTENER_STOPPING|CONNECTION_(IDLE|SENDING|STOPPING)"
              + "|EXPORTED_.*)")
  @ExpectedLog(value = "here: the context stopped by itself", always = false)
  void theDeviceOfAListenerIsLost(State state) {
    lose(state, false);
  }

  private static void lose(State state, boolean ofClient) {
    try (ListenerRig rig = ListenerRig.create(state.settings)) {
      Prepared prepared = state.entering.apply(rig);
      rig.loseDevice(ofClient);
      List<ActorRef<?>> ending = new ArrayList<>(prepared.clients);
      prepared.served.forEach(one -> ending.addAll(List.of(one.connection(), one.behavior())));
      rig.endings.await(ending);
      prepared.stop(rig.system.kit.<Stopped>createTestProbe().getRef());
      rig.endings.await(List.of(prepared.subject));
      rig.assertNothingLeft();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LISTENER_WITH_CONNECTION", "CONNECTION_SENDING", "CLIENT_SENDING"})
  @ExpectedLog("as the test has asked")
  void aBehaviorThrows(State state) {
    try (ListenerRig rig = ListenerRig.create(state.settings)) {
      Prepared prepared = state.entering.apply(rig);
      rig.send(rig.clients, prepared.clients.get(0), "throw");
      List<ActorRef<?>> ending = new ArrayList<>(prepared.clients);
      prepared.served.forEach(one -> ending.addAll(List.of(one.connection(), one.behavior())));
      rig.endings.await(ending);
      rig.awaitOpen();
      rig.assertNothingLeft();
    }
  }
}
