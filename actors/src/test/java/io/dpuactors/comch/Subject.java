package io.dpuactors.comch;

import java.util.function.Function;

/**
 * An actor in a state, ready for an event.
 *
 * <p>A test cannot wait in these states, because the actor leaves them in the same turn:
 *
 * <ul>
 *   <li>a server or producer that starts (DOCA starts it at once)
 *   <li>a connection that opens (DOCA creates it connected)
 *   <li>a producer or consumer without a predecessor of the same name
 * </ul>
 */
@SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
enum Subject {
  SERVER_ALONE(Fixtures::serverAlone),
  SERVER_WITH_CONNECTIONS(rig -> Fixtures.server(rig, rig.pair(true))),
  SERVER_REOPENING(Fixtures::serverReopening),
  SERVER_STOPPING(rig -> Fixtures.stopping(rig, Fixtures::server)),
  CONNECTION_SILENT(rig -> Fixtures.connection(rig, rig.pair(false))),
  CONNECTION_MID_MESSAGE(rig -> Fixtures.connection(rig, Fixtures.midMessage(rig))),
  CONNECTION_WITH_DATA(rig -> Fixtures.connection(rig, rig.pair(true))),
  CONNECTION_OPENING_DATA(rig -> Fixtures.connection(rig, Fixtures.openingData(rig))),
  CONNECTION_STOPPING(rig -> Fixtures.stopping(rig, Fixtures::connection)),
  CLIENT_SILENT(rig -> Fixtures.client(rig, rig.pair(false))),
  CLIENT_WITH_DATA(rig -> Fixtures.client(rig, rig.pair(true))),
  CLIENT_OPENING_CONSUMER(Fixtures::openingConsumer),
  CLIENT_STOPPING(rig -> Fixtures.stopping(rig, Fixtures::client)),
  CLIENT_LOSING(Fixtures::losing),
  CLIENT_BACKING_OFF(Fixtures::backingOff),
  CLIENT_REOPENING(Fixtures::clientReopening),
  CLIENT_CONNECTING(Fixtures::connecting),
  PRODUCER_IDLE(rig -> Fixtures.idle(rig, Fixtures::producer)),
  CONSUMER_IDLE(rig -> Fixtures.idle(rig, Fixtures::consumer)),
  PRODUCER_IN_FLIGHT(rig -> Fixtures.producer(rig, rig.pair(true))),
  CONSUMER_IN_FLIGHT(rig -> Fixtures.consumer(rig, rig.pair(true))),
  PRODUCER_STOPPING(rig -> Fixtures.stopping(rig, Fixtures::producer)),
  CONSUMER_STOPPING(rig -> Fixtures.stopping(rig, Fixtures::consumer));

  private final Function<ServerRig, Fixture> entering;

  Subject(Function<ServerRig, Fixture> entering) {
    this.entering = entering;
  }

  Fixture enter(ServerRig rig) {
    return entering.apply(rig);
  }
}
