package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Rig.Event;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server on the card and clients on the host, all on one engine. {@link #close} destroys every
 * context, those on connections first, and asserts that both censuses are empty.
 */
final class ComchRig implements AutoCloseable {
  static final long SERVER = 1L << 40;
  static final long CLIENT = 2L << 40;
  static final MessageLimits LIMITS = new MessageLimits(4080, 16);
  static final int TASKS = 16;
  private static final AtomicInteger NAMES = new AtomicInteger();

  final Rig rig;
  final Device card;
  final Device host;
  final Representor representor;

  /** server name that no other process and no other test uses */
  final String name =
      "bridge-test-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet();

  final DocaContext server;
  private final NativeCells cells = NativeCells.allocate(64, 4096);
  private int nextCell;

  ComchRig() {
    this(256, 4096);
  }

  ComchRig(int messageCells, int messageBytes) {
    rig = new Rig(ProgressEngine.create(Rig.LIBRARY, 64, 256, messageCells, messageBytes));
    card = Device.open(rig.engine, "03:00.0");
    host = Device.open(rig.engine, "81:00.0");
    representor = Representor.open(card, host.pciAddress());
    server =
        rig.add(
            Comch.server(rig.engine, card, representor, name, LIMITS, SERVER),
            TASKS,
            TaskKind.COMCH_SERVER_SEND);
  }

  /** Returns a rig whose server is started and accepts clients. */
  static ComchRig started() {
    ComchRig rig = new ComchRig();
    assertThat(rig.server.start()).isEqualTo(DocaCode.SUCCESS);
    return rig;
  }

  /** Creates an idle client of the server. */
  DocaContext client() {
    return client(LIMITS);
  }

  DocaContext client(MessageLimits limits) {
    return rig.add(
        Comch.client(rig.engine, host, name, limits, CLIENT), TASKS, TaskKind.COMCH_CLIENT_SEND);
  }

  /** Starts a client, waits until both sides are connected, and returns the server's connection. */
  int connect(DocaContext client) {
    int before = events(RecordType.CONNECTED).size();
    assertThat(client.start()).isEqualTo(DocaCode.IN_PROGRESS);
    rig.until(
        () ->
            client.state() == ContextState.RUNNING && events(RecordType.CONNECTED).size() > before);
    Event connected = events(RecordType.CONNECTED).get(before);
    assertThat(connected.status()).isZero();
    assertThat(connected.userData()).isEqualTo(SERVER);
    assertThat(connected.context()).isEqualTo(server.handle());
    return connected.connection();
  }

  /** Offers a message from the server; at most 64 may be in flight. */
  long fromServer(int connection, byte[] message) {
    return send(server, TaskKind.COMCH_SERVER_SEND, connection, message);
  }

  /** Offers a message from a client. */
  long fromClient(DocaContext client, byte[] message) {
    return send(client, TaskKind.COMCH_CLIENT_SEND, Comch.connection(client), message);
  }

  long send(DocaContext context, TaskKind kind, int connection, byte[] message) {
    int cell = nextCell++ % cells.count();
    cells.view(cell).put(0, message, 0, Math.min(message.length, cells.bytesPerCell()));
    long address = cells.address(cell);
    SubmissionRing ring = rig.engine.submissions();
    return rig.offer(
        task ->
            ring.offerMessage(task, context.handle(), kind, connection, address, message.length));
  }

  /** Writes immediate data to the next cell and returns its address. */
  long immediate(byte[] bytes) {
    int cell = nextCell++ % cells.count();
    cells.view(cell).put(0, bytes);
    return cells.address(cell);
  }

  /** Creates a pool for consumers on a device. */
  BufferPool pool(Device device, int count, int bytes) {
    return rig.add(
        RegisteredPool.create(
            rig.engine,
            device,
            count,
            bytes,
            EnumSet.of(Permission.LOCAL_READ_WRITE, Permission.PCI_READ_WRITE)));
  }

  List<Event> events(RecordType type) {
    return rig.events().stream().filter(event -> event.type() == type).toList();
  }

  /** Waits until the rig has received {@code count} events of a type in total. */
  List<Event> await(RecordType type, int count) {
    rig.until(() -> events(type).size() >= count);
    assertThat(events(type)).hasSize(count);
    return events(type);
  }

  @Override
  public void close() {
    rig.endContexts();
    representor.close();
    rig.closePools();
    card.close();
    host.close();
    rig.close();
  }
}
