package io.dpuactors.comch;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.comch.Scene.Pair;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.comch.ConnectionProtocol.NoConsumer;
import io.dpuactors.protocol.comch.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.comch.ConnectionProtocol.Receive;
import io.dpuactors.protocol.comch.ConnectionProtocol.ReceiveFailed;
import io.dpuactors.protocol.comch.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.comch.DataOptions;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceFailed;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.Ledger;
import io.dpuactors.testing.Ledger.Kind;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/** Requests that exceed their deadline, one for each state that accepts requests. */
@SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
enum LateAnswer {
  CONNECTION_MESSAGE_IN_FLIGHT(
      "dpu.comch.connection.deadline = 50ms",
      scene -> {
        FreshSoftDpu.DEVICE.faults("comch-send:delay=300ms:nth=1");
        scene.send(scene.bystanderServed.connection(), "late");
      },
      LateAnswer::sent),
  CLIENT_MESSAGE_IN_FLIGHT(
      "dpu.comch.connection.deadline = 50ms",
      scene -> {
        FreshSoftDpu.DEVICE.faults("comch-send:delay=300ms:nth=1");
        scene.send(scene.bystander, "late");
      },
      LateAnswer::sent),
  CLIENT_MESSAGE_WAITING(
      "dpu.comch.connection { deadline = 50ms, window = 1 }",
      scene -> {
        FreshSoftDpu.DEVICE.faults("comch-send:delay=300ms:nth=1");
        scene.send(scene.bystander, "late");
        scene.send(scene.bystander, "later");
      },
      ledger -> {
        ledger.await(SendFailed.class, 2);
        return sent(ledger);
      }),
  CLIENT_RECEIVING("", scene -> receive(scene, scene.bystander), LateAnswer::received),
  CLIENT_AWAITING_CONSUMER("", scene -> await(scene, scene.bystander), LateAnswer::awaited),
  CONNECTION_AWAITING_CONSUMER(
      "", scene -> await(scene, scene.bystanderServed.connection()), LateAnswer::awaited),
  PRODUCER_WAITING_FOR_CREDIT(
      "dpu.comch.producer.deadline = 50ms", scene -> scene.pair(true), LateAnswer::produced),
  PRODUCER_IN_FLIGHT(
      "dpu.comch.producer.deadline = 500ms",
      scene -> {
        Pair pair = scene.pair(true);
        FreshSoftDpu.DEVICE.faults("comch-producer-send:delay=1s");
        Casting.slowBlock(scene, pair);
      },
      LateAnswer::produced),
  CLIENT_CONNECTING_MESSAGE(
      "dpu.comch.connection.deadline = 50ms",
      scene -> scene.send(client(Casting.connecting(scene)), "late"),
      LateAnswer::sent),
  CLIENT_CONNECTING_RECEIVING(
      "", scene -> receive(scene, client(Casting.connecting(scene))), LateAnswer::received),
  CLIENT_BACKING_OFF_MESSAGE(
      "dpu.comch.connection.deadline = 50ms",
      scene -> scene.send(client(Casting.waiting(scene)), "late"),
      LateAnswer::sent),
  CLIENT_BACKING_OFF_RECEIVING(
      "", scene -> receive(scene, client(Casting.waiting(scene))), LateAnswer::received),
  CLIENT_BACKING_OFF_AWAITING_CONSUMER(
      "", scene -> await(scene, client(Casting.waiting(scene))), LateAnswer::awaited),
  CLIENT_BACKING_OFF_OPENING_PRODUCER(
      "dpu.comch.connection.deadline = 50ms",
      scene ->
          client(Casting.waiting(scene))
              .tell(new OpenProducer("out", DataOptions.defaults(), scene.ledger.asks(Kind.OPEN))),
      ledger -> ledger.await(OpenFailed.class, 1).get(0).error().code());

  private static final Duration BRIEF = Duration.ofMillis(50);

  final String settings;
  final Consumer<Scene> ask;
  private final Function<Ledger, DocaCode> answer;

  LateAnswer(String settings, Consumer<Scene> ask, Function<Ledger, DocaCode> answer) {
    this.settings = settings;
    this.ask = ask;
    this.answer = answer;
  }

  /** Returns the code of the answer. */
  DocaCode await(Scene scene) {
    return answer.apply(scene.ledger);
  }

  private static DocaCode sent(Ledger ledger) {
    return ledger.await(SendFailed.class, 1).get(0).error().code();
  }

  private static DocaCode received(Ledger ledger) {
    return ledger.await(ReceiveFailed.class, 1).get(0).error().code();
  }

  private static DocaCode awaited(Ledger ledger) {
    return ledger.await(NoConsumer.class, 1).get(0).error().code();
  }

  private static DocaCode produced(Ledger ledger) {
    return ledger.await(ProduceFailed.class, 1).get(0).error().code();
  }

  private static void receive(Scene scene, ActorRef<ConnectionProtocol.Command> connection) {
    connection.tell(new Receive(BRIEF, scene.ledger.asks(Kind.RECEIVE)));
  }

  private static void await(Scene scene, ActorRef<ConnectionProtocol.Command> connection) {
    connection.tell(new AwaitConsumer(BRIEF, scene.ledger.asks(Kind.AWAIT)));
  }

  @SuppressWarnings("unchecked") // The first actor is the client.
  private static ActorRef<ConnectionProtocol.Command> client(Cast cast) {
    return (ActorRef<ConnectionProtocol.Command>) cast.dies().get(0);
  }
}
