package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.simulation.TraceStep.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** Tests which messages a trace has. */
class TraceTest {
  private static Behavior<String> upTo(String last) {
    return Behaviors.receiveMessage(
        message -> message.equals(last) ? Behaviors.stopped() : Behaviors.same());
  }

  /** Returns the messages that an actor of this name handles. */
  private static List<String> messagesTo(String name, Consumer<SimulatedSystem> body) {
    List<String> messages = new ArrayList<>();
    Simulation.of(1)
        .trace(
            step -> {
              if (step.kind() == Kind.MESSAGE && step.subject().endsWith("/" + name)) {
                messages.add(step.text() + " from " + step.from());
              }
            })
        .run(body);
    return messages;
  }

  /** A new actor handles its creation, which is a signal, and the first message in one step. */
  @Test
  void aMessageThatSharesItsStepWithASignalIsThere() {
    Behavior<String> parent =
        Behaviors.setup(
            context -> {
              ActorRef<String> child = context.spawn(upTo("none"), "child");
              child.tell("first");
              child.tell("second");
              return Behaviors.ignore();
            });
    assertThat(messagesTo("child", system -> system.spawn(parent, "parent")))
        .containsExactly("first from /user/run/parent", "second from /user/run/parent");
  }

  @Test
  void anEngineCallsDocaInTheOrderOfTheLifeOfAContext() {
    List<TraceStep> calls = new ArrayList<>();
    Simulation.of(1)
        .trace(step -> calls.addAll(step.kind() == Kind.CALLS ? List.of(step) : List.of()))
        .run(TraceTest::openDma);
    assertThat(calls).allMatch(step -> step.subject().endsWith("one"));
    assertThat(calls.stream().map(TraceStep::text).collect(Collectors.joining(", ")))
        .containsPattern(
            "new\\(dma#(\\d+)\\).*doca_pe_connect_ctx\\(pe#\\d+\\).*doca_ctx_start\\(dma#\\1\\).*"
                + "doca_ctx_stop\\(dma#\\1\\).*doca_dma_destroy\\(dma#\\1\\).*doca_pe_destroy");
  }

  private static void openDma(SimulatedSystem system) {
    DmaProtocol.OpenReply opened =
        system.ask(system.engine("one"), me -> new OpenDma("dma", TaskOptions.defaults(), me));
    assertThat(opened).isInstanceOf(DmaProtocol.Opened.class);
  }

  @Test
  void aMessageThatNobodyHandlesIsNotThere() {
    Consumer<SimulatedSystem> body =
        system -> {
          ActorRef<String> actor = system.spawn(upTo("last"), "actor");
          actor.tell("one");
          actor.tell("last");
          actor.tell("after the end");
        };
    assertThat(messagesTo("actor", body)).hasSize(2).noneMatch(text -> text.startsWith("after"));
  }
}
