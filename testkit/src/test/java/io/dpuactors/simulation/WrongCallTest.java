package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests that native calls on destroyed objects, and outside their owner's turn, fail a run. */
class WrongCallTest {
  /** Returns an actor that calls DOCA in turns of an engine. */
  private static Behavior<Consumer<long[]>> caller(long[] object) {
    return Behaviors.receiveMessage(
        call -> {
          call.accept(object);
          return Behaviors.stopped();
        });
  }

  private static void create(long[] object) {
    DocaCommon.doca_pe_create(object);
  }

  private static void destroy(long[] object) {
    DocaCommon.doca_pe_destroy(object[0]);
  }

  private static void open(SimulatedSystem system, String engine) {
    system.ask(system.engine(engine), GetStatus::new);
  }

  private static void callInTurn(
      SimulatedSystem system, String name, long[] object, Consumer<long[]> call) {
    system
        .spawn(caller(object), "caller-" + name, Engine.props(system.actorSystem(), name))
        .tell(call);
    system.settle();
  }

  @Test
  void aDestroyedObjectIsNotDestroyedAgain() {
    assertThatExceptionOfType(SimulationFailedError.class)
        .isThrownBy(() -> Simulation.of(1).run(WrongCallTest::destroyTwice))
        .withMessageMatching(
            "(?s).*wrong native call: doca_pe_destroy\\(pe#\\d+\\): the object was destroyed.*");
  }

  private static void destroyTwice(SimulatedSystem system) {
    open(system, "one");
    callInTurn(
        system,
        "one",
        new long[1],
        object -> {
          create(object);
          destroy(object);
          destroy(object);
        });
  }

  @Test
  void anotherEngineDoesNotUseAnObject() {
    assertThatExceptionOfType(SimulationFailedError.class)
        .isThrownBy(() -> Simulation.of(1).run(WrongCallTest::destroyInAnotherTurn))
        .withMessageMatching(
            "(?s).*wrong native call: doca_pe_destroy\\(pe#\\d+\\): called in a turn of host .*");
  }

  private static void destroyInAnotherTurn(SimulatedSystem system) {
    long[] object = new long[1];
    open(system, "one");
    open(system, "two");
    callInTurn(system, "one", object, WrongCallTest::create);
    callInTurn(system, "two", object, WrongCallTest::destroy);
    callInTurn(system, "one", object, WrongCallTest::destroy);
  }
}
