package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Rig.Answer;
import io.dpuactors.bridge.internal.Rig.Event;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests connections and their messages, through rings, bridge and software DPU. */
class ComchTest {
  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(20);

  private final ComchRig rig = ComchRig.started();

  @AfterEach
  void end() {
    rig.close();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void assertSent(long task) {
    Answer answer = rig.rig.await(task);
    assertThat(answer.type()).as(answer.toString()).isEqualTo(RecordType.TASK_DONE);
  }

  private void assertRefused(long task, DocaCode code) {
    Answer answer = rig.rig.await(task);
    assertThat(answer.type()).isEqualTo(RecordType.REFUSED);
    assertThat(answer.code()).isEqualTo(code);
  }

  @Test
  void bothSidesReceiveTheConnection() {
    DocaContext client = rig.client();
    int connection = rig.connect(client);
    assertThat(connection).isNotZero();
    assertThat(Comch.connection(client)).isNotZero().isNotEqualTo(connection);
    assertThat(Comch.connection(client)).isEqualTo(Comch.connection(client));
    assertThat(rig.server.name())
        .isEqualTo("comch server \"" + rig.name + "\" on 0000:03:00.0 for 0000:81:00.0");
    assertThat(client.name()).isEqualTo("comch client of \"" + rig.name + "\" on 0000:81:00.0");
    assertThat(Comch.maxMessageBytes(rig.server)).isEqualTo(4080);
    assertThat(Comch.maxMessageBytes(client)).isEqualTo(4080);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 4079, 4080})
  void messagesArriveAsTheyWereSent(int bytes) {
    DocaContext client = rig.client();
    int connection = rig.connect(client);
    byte[] up = Inputs.random(bytes);
    byte[] down = Inputs.text(bytes);

    assertSent(rig.fromClient(client, up));
    Event atServer = rig.await(RecordType.MESSAGE, 1).get(0);
    assertThat(atServer.message()).isEqualTo(up);
    assertThat(atServer.connection()).isEqualTo(connection);
    assertThat(atServer.userData()).isEqualTo(ComchRig.SERVER);
    assertThat(atServer.context()).isEqualTo(rig.server.handle());

    assertSent(rig.fromServer(connection, down));
    Event atClient = rig.await(RecordType.MESSAGE, 2).get(1);
    assertThat(atClient.message()).isEqualTo(down);
    assertThat(atClient.connection()).isEqualTo(Comch.connection(client));
    assertThat(atClient.userData()).isEqualTo(ComchRig.CLIENT);
    assertThat(atClient.context()).isEqualTo(client.handle());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4081})
  void messagesOfLengthsThatCannotBeAreRefused(int bytes) {
    DocaContext client = rig.client();
    int connection = rig.connect(client);
    assertRefused(rig.fromClient(client, new byte[bytes]), DocaCode.INVALID_VALUE);
    assertRefused(rig.fromServer(connection, new byte[bytes]), DocaCode.INVALID_VALUE);
    assertThat(rig.events(RecordType.MESSAGE)).isEmpty();
  }

  @Test
  void manyMessagesKeepTheirOrder() {
    DocaContext client = rig.client();
    int connection = rig.connect(client);
    int rounds = 50;
    for (int round = 0; round < rounds; round++) {
      long last = 0;
      for (int i = 0; i < 8; i++) {
        last = rig.fromClient(client, text("up " + (round * 8 + i)));
      }
      assertSent(last);
      assertSent(rig.fromServer(connection, text("down " + round)));
    }
    List<Event> messages = rig.await(RecordType.MESSAGE, 9 * rounds);
    assertThat(messages)
        .filteredOn(event -> event.userData() == ComchRig.SERVER)
        .extracting(Event::text)
        .containsExactlyElementsOf(names("up ", 8 * rounds));
    assertThat(messages)
        .filteredOn(event -> event.userData() == ComchRig.CLIENT)
        .extracting(Event::text)
        .containsExactlyElementsOf(names("down ", rounds));
  }

  static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  @Test
  void eachClientHasItsConnection() {
    List<DocaContext> clients = List.of(rig.client(), rig.client(), rig.client());
    List<Integer> connections = new ArrayList<>();
    clients.forEach(client -> connections.add(rig.connect(client)));
    assertThat(connections).doesNotHaveDuplicates();
    for (int i = 0; i < 3; i++) {
      assertSent(rig.fromClient(clients.get(i), text("from " + i)));
      assertSent(rig.fromServer(connections.get(i), text("to " + i)));
    }
    for (Event event : rig.await(RecordType.MESSAGE, 6)) {
      int i = Integer.parseInt(event.text().substring(event.text().length() - 1));
      boolean isUp = event.text().startsWith("from");
      assertThat(event.connection())
          .isEqualTo(isUp ? connections.get(i) : Comch.connection(clients.get(i)));
    }
  }

  @Test
  void aClientThatStopsIsDisconnected() {
    DocaContext client = rig.client();
    int connection = rig.connect(client);
    int clientsEnd = Comch.connection(client);
    rig.rig.end(client);
    Event gone = rig.await(RecordType.DISCONNECTED, 1).get(0);
    assertThat(gone.connection()).isEqualTo(connection);
    assertThat(gone.userData()).isEqualTo(ComchRig.SERVER);
    assertThatNothingIsLeftOf(connection);
    assertThatNothingIsLeftOf(clientsEnd);
  }

  @Test
  void aServerDisconnects() {
    DocaContext client = rig.client();
    int connection = rig.connect(client);
    assertThat(Comch.disconnect(rig.server, connection)).isEqualTo(DocaCode.SUCCESS);
    assertThatNothingIsLeftOf(connection);
    rig.rig.until(() -> client.state() == ContextState.IDLE && rig.rig.turn() == 0);
    assertThat(rig.events(RecordType.DISCONNECTED)).isEmpty();
    assertThatThrownBy(() -> Comch.connection(client)).hasMessageContaining("BAD_STATE");
    assertThat(rig.rig.states())
        .filteredOn(state -> state.userData() == ComchRig.CLIENT)
        .last()
        .extracting(Answer::next)
        .isEqualTo(ContextState.IDLE);
  }

  /**
   * The library has recorded the end of the connection before the engine has drained its record.
   */
  @Test
  void nothingIsCreatedOnAConnectionWithAnUnreportedEnd() {
    DocaContext client = rig.client();
    int connection = rig.connect(client);
    ProgressEngine engine = rig.rig.engine;
    assertThat(client.stop()).isEqualTo(DocaCode.IN_PROGRESS);
    assertThat(untilRefused(() -> Comch.producer(engine, connection, 0)))
        .hasMessageStartingWith("doca_comch_producer_create: DOCA_ERROR_NOT_CONNECTED (14): ");
    try (MemoryMap memory =
        MemoryMap.allocate(engine, rig.card, 64, EnumSet.of(Permission.PCI_READ_WRITE))) {
      assertThat(untilRefused(() -> Comch.consumer(engine, connection, memory, 0, 0)))
          .hasMessageStartingWith("doca_comch_consumer_create: DOCA_ERROR_NOT_CONNECTED (14): ");
    }
    assertThat(rig.events(RecordType.DISCONNECTED)).isEmpty();
    rig.await(RecordType.DISCONNECTED, 1);
  }

  /** Repeats the creation until a refusal, and makes no progress, so no record can arrive. */
  private static DocaException untilRefused(Supplier<DocaContext> creation) {
    long deadlineNs = System.nanoTime() + LONG_NS;
    while (System.nanoTime() - deadlineNs < 0) {
      try {
        creation.get().destroy();
      } catch (DocaException e) {
        return e;
      }
    }
    throw new AssertionError("the end of the connection was not noticed");
  }

  private void assertThatNothingIsLeftOf(int connection) {
    ProgressEngine engine = rig.rig.engine;
    assertThat(Comch.disconnect(rig.server, connection)).isEqualTo(DocaCode.NOT_FOUND);
    assertRefused(rig.fromServer(connection, text("late")), DocaCode.NOT_CONNECTED);
    assertThatThrownBy(() -> Comch.producer(engine, connection, 0))
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("NOT_CONNECTED (14): comch producer on connection 0x");
    try (MemoryMap memory = MemoryMap.allocate(engine, rig.card, 64)) {
      assertThatThrownBy(() -> Comch.consumer(engine, connection, memory, 0, 0))
          .hasMessageContaining("NOT_CONNECTED (14): comch consumer on connection 0x");
    }
  }

  @Test
  void aNewConnectionIsNotTakenForAnOldOne() {
    DocaContext first = rig.client();
    int old = rig.connect(first);
    rig.rig.end(first);
    rig.await(RecordType.DISCONNECTED, 1);
    DocaContext second = rig.client();
    int fresh = rig.connect(second);
    assertThat(fresh).isNotEqualTo(old);
    assertRefused(rig.fromServer(old, text("late")), DocaCode.NOT_CONNECTED);
    assertSent(rig.fromServer(fresh, text("in time")));
    assertThat(rig.await(RecordType.MESSAGE, 1)).extracting(Event::text).containsExactly("in time");
  }

  @Test
  void aClientCanBeStartedAgain() {
    DocaContext client = rig.client();
    int old = rig.connect(client);
    assertThat(Comch.disconnect(rig.server, old)).isEqualTo(DocaCode.SUCCESS);
    rig.rig.until(() -> client.state() == ContextState.IDLE);
    int fresh = rig.connect(client);
    assertThat(fresh).isNotEqualTo(old);
    assertSent(rig.fromClient(client, text("again")));
    assertThat(rig.await(RecordType.MESSAGE, 1).get(0).connection()).isEqualTo(fresh);
  }

  @Test
  void aServerThatStopsTakesItsClientsAlong() {
    DocaContext client = rig.client();
    int connection = rig.connect(client);
    rig.rig.end(rig.server);
    rig.rig.until(() -> client.state() == ContextState.IDLE);
    assertThatThrownBy(() -> Comch.disconnect(rig.server, connection))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was destroyed");
    assertThatThrownBy(() -> Comch.producer(rig.rig.engine, connection, 0))
        .hasMessageContaining("NOT_CONNECTED");
  }

  @Test
  void withoutAServerAClientBecomesIdleAgain() {
    rig.rig.end(rig.server);
    DocaContext client = rig.client();
    assertThatThrownBy(() -> Comch.connection(client))
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("BAD_STATE (18): comch client of ");
    rig.rig.states().clear();
    assertThat(client.start()).isEqualTo(DocaCode.IN_PROGRESS);
    rig.rig.until(() -> client.state() == ContextState.IDLE && rig.rig.turn() == 0);
    assertThat(rig.rig.states())
        .extracting(Answer::next)
        .doesNotContain(ContextState.RUNNING)
        .endsWith(ContextState.IDLE);
  }

  @Test
  void aMessageToTheConnectionOfAnotherContextIsRefused() {
    DocaContext client = rig.client();
    int connection = rig.connect(client);
    assertRefused(
        rig.send(client, TaskKind.COMCH_CLIENT_SEND, connection, text("astray")),
        DocaCode.NOT_CONNECTED);
    assertRefused(rig.fromServer(Comch.connection(client), text("astray")), DocaCode.NOT_CONNECTED);
  }

  @Test
  void aSleepingEngineIsWokenByAMessage() {
    DocaContext client = rig.client();
    rig.connect(client);
    rig.fromClient(client, text("wake up"));
    while (rig.events(RecordType.MESSAGE).isEmpty()) {
      if (rig.rig.turn() == 0) {
        assertThat(rig.rig.engine.await(LONG_NS, LONG_NS, 0, 0)).as("woken").isNotZero();
      }
    }
  }

  @Test
  void censusCountsWhatIsOpen() {
    rig.connect(rig.client());
    assertThat(rig.rig.engine.census()).hasToString("3 DEVICE, 1 REPRESENTOR, 2 CONTEXT");
  }
}
