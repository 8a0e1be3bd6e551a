package io.dpuactors.service;

import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.FetchAndAdd;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Read;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.service.RdmaMeter.Load;
import io.dpuactors.service.RdmaMeter.Measured;
import io.dpuactors.service.RdmaMeter.MeterOptions;
import io.dpuactors.service.RdmaMeter.Operation;
import io.dpuactors.wire.RdmaOffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** One run of a client's tasks: preparation, measurement, check. Engine's thread. */
final class RdmaRun {
  /** Tag of messages without a slot. */
  private static final long CONTROL = -1;

  private final ActorRef<RdmaConnectionProtocol.Command> connection;
  private final ActorRef<Reply> replies;
  private final RdmaOffer offer;
  private final RdmaSlots slots;
  private final Load load;
  private final MeterOptions options;
  private final Consumer<Measured> done;
  private final long seed = System.nanoTime();
  private final int parallel;
  private final long[] sentNs;

  /** Slots that wait until the server has handled more messages. */
  private final Deque<Integer> waiting = new ArrayDeque<>();

  private IntFunction<PeerRequest> task;
  private Runnable then = () -> {};
  private long left;
  private int inFlight;
  private boolean isMeasuring;
  private long unhandled;
  private long sum;
  private long before;
  private long beginNs;
  private long endNs;

  /**
   * Creates a run.
   *
   * @param earlier run of the same connection, or null
   */
  RdmaRun(
      ActorRef<RdmaConnectionProtocol.Command> connection,
      ActorRef<Reply> replies,
      RdmaOffer offer,
      RdmaSlots slots,
      Load load,
      MeterOptions options,
      @Nullable RdmaRun earlier,
      Consumer<Measured> done) {
    this.connection = connection;
    this.replies = replies;
    this.offer = offer;
    this.slots = slots;
    this.load = load;
    this.options = options;
    this.done = done;
    this.parallel = (int) Math.min(options.parallel(), load.count());
    this.sentNs = new long[parallel];
    this.task = this::write;
    this.unhandled = earlier == null ? 0 : earlier.unhandled;
  }

  /** Begins with a message: the server closes the connection of a client that sends none. */
  void begin() {
    control(RdmaStore.BEGIN);
    switch (load.operation()) {
      case WRITE -> beginWrites();
      case READ -> beginReads();
      case SEND -> beginSends();
      case ATOMIC -> beginAtomics();
    }
  }

  private void beginWrites() {
    slots.aim(offer, load.size());
    if (load.verify()) {
      slots.fill(seed);
    }
    measure(this::write, load.verify() ? this::readBack : () -> finish(true));
  }

  private void readBack() {
    slots.clear();
    phase(parallel, this::read, this::compare);
  }

  private void compare() {
    finish(IntStream.range(0, parallel).allMatch(slot -> slots.matches(seed, slot)));
  }

  private void beginReads() {
    slots.aim(offer, load.size());
    if (!load.verify()) {
      measure(this::read, () -> finish(true));
      return;
    }
    slots.fill(seed);
    phase(
        parallel,
        this::write,
        () -> {
          slots.clear();
          measure(this::read, this::compare);
        });
  }

  private void beginSends() {
    slots.size(load.size());
    if (!load.verify()) {
      measure(this::send, () -> finish(true));
      return;
    }
    slots.fill(seed);
    control(RdmaStore.CHECK);
    measure(this::send, () -> control(RdmaStore.REPORT));
  }

  private void control(int immediate) {
    connection.tell(new Send(null, OptionalInt.of(immediate), CONTROL, replies));
  }

  private void beginAtomics() {
    slots.aim(offer, Long.BYTES);
    for (int slot = 0; slot < parallel; slot++) {
      slots.remote(slot).aim(offer.begin(), Long.BYTES);
    }
    if (!load.verify()) {
      measure(this::add, () -> finish(true));
      return;
    }
    phase(
        1,
        this::read,
        () -> {
          before = slots.local(0).bytes().getLong(0);
          measure(this::add, () -> phase(1, this::read, this::compareNumber));
        });
  }

  private void compareNumber() {
    finish(slots.local(0).bytes().getLong(0) == before + load.count());
  }

  private PeerRequest write(int slot) {
    return new Write(slots.local(slot), slots.remote(slot), slot, replies);
  }

  private PeerRequest read(int slot) {
    return new Read(slots.remote(slot), slots.local(slot), slot, replies);
  }

  private PeerRequest send(int slot) {
    unhandled++;
    if (load.verify()) {
      sum += slots.crc(slot);
    }
    return new Send(slots.local(slot), slot, replies);
  }

  private PeerRequest add(int slot) {
    return new FetchAndAdd(slots.remote(slot), slots.local(slot), 1, slot, replies);
  }

  private void measure(IntFunction<PeerRequest> measured, Runnable next) {
    isMeasuring = true;
    beginNs = System.nanoTime();
    phase(
        load.count(),
        measured,
        () -> {
          endNs = System.nanoTime();
          isMeasuring = false;
          next.run();
        });
  }

  /** Executes tasks, as many at a time as there are slots. */
  private void phase(long count, IntFunction<PeerRequest> of, Runnable next) {
    task = of;
    then = next;
    left = count;
    for (int slot = 0; slot < Math.min(parallel, count); slot++) {
      submit(slot);
    }
  }

  private void submit(int slot) {
    if (load.operation() == Operation.SEND && unhandled >= RdmaOffer.UNHANDLED) {
      waiting.add(slot);
      return;
    }
    left--;
    inFlight++;
    sentNs[slot] = System.nanoTime();
    PeerRequest request = task.apply(slot);
    slots.lend(slot);
    connection.tell(request);
  }

  /** Handles the end of a task. */
  void completed(int slot) {
    if (slot < 0) {
      return;
    }
    inFlight--;
    slots.returned(slot);
    if (isMeasuring) {
      options.timesNs().accept(System.nanoTime() - sentNs[slot]);
    }
    if (left > waiting.size()) {
      submit(slot);
    } else if (left == 0 && inFlight == 0) {
      then.run();
    }
  }

  /** Handles a message of the server: it has handled messages, or reports about all. */
  void received(byte[] bytes) {
    if (bytes.length == RdmaStore.REPORT_BYTES) {
      ByteBuffer report = ByteBuffer.wrap(bytes);
      finish(report.getLong() == load.count() && report.getLong() == sum);
      return;
    }
    unhandled -= RdmaOffer.HANDLED;
    while (!waiting.isEmpty() && unhandled < RdmaOffer.UNHANDLED) {
      submit(waiting.remove());
    }
  }

  /** Returns whether the next step of an unfinished run depends on a message of the server. */
  boolean isWaitingForServer() {
    return inFlight == 0;
  }

  private void finish(boolean isCorrect) {
    done.accept(new Measured(beginNs, endNs, isCorrect));
  }
}
