package io.dpuactors.comch;

import java.util.function.Function;

/**
 * An actor in a state, ready for an event.
 *
 * <p>A test cannot wait in these states, because the actor leaves them in the same turn:
 *
 * <ul>
 *   <li>a server or producer that starts (DOCA starts it at once)
 *   <li>a connection that opens (it is born connected)
 *   <li>a producer or consumer without a predecessor of the same name
 * </ul>
 */
@SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
enum Subject {
  SERVER_ALONE(Casting::serverAlone),
  SERVER_WITH_CONNECTIONS(scene -> Casting.server(scene, scene.pair(true))),
  SERVER_REOPENING(Casting::serverReopening),
  SERVER_STOPPING(scene -> Casting.stopping(scene, Casting::server)),
  CONNECTION_SILENT(scene -> Casting.connection(scene, scene.pair(false))),
  CONNECTION_MID_MESSAGE(scene -> Casting.connection(scene, Casting.midMessage(scene))),
  CONNECTION_WITH_DATA(scene -> Casting.connection(scene, scene.pair(true))),
  CONNECTION_OPENING_DATA(scene -> Casting.connection(scene, Casting.openingData(scene))),
  CONNECTION_STOPPING(scene -> Casting.stopping(scene, Casting::connection)),
  CLIENT_SILENT(scene -> Casting.client(scene, scene.pair(false))),
  CLIENT_WITH_DATA(scene -> Casting.client(scene, scene.pair(true))),
  CLIENT_OPENING_CONSUMER(Casting::openingConsumer),
  CLIENT_STOPPING(scene -> Casting.stopping(scene, Casting::client)),
  CLIENT_LOSING(Casting::losing),
  CLIENT_BACKING_OFF(Casting::backingOff),
  CLIENT_REOPENING(Casting::clientReopening),
  CLIENT_CONNECTING(Casting::connecting),
  PRODUCER_IDLE(scene -> Casting.idle(scene, Casting::producer)),
  CONSUMER_IDLE(scene -> Casting.idle(scene, Casting::consumer)),
  PRODUCER_IN_FLIGHT(scene -> Casting.producer(scene, scene.pair(true))),
  CONSUMER_IN_FLIGHT(scene -> Casting.consumer(scene, scene.pair(true))),
  PRODUCER_STOPPING(scene -> Casting.stopping(scene, Casting::producer)),
  CONSUMER_STOPPING(scene -> Casting.stopping(scene, Casting::consumer));

  private final Function<Scene, Cast> entering;

  Subject(Function<Scene, Cast> entering) {
    this.entering = entering;
  }

  Cast enter(Scene scene) {
    return entering.apply(scene);
  }
}
