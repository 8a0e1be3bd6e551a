package io.dpuactors.service;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.service.RdmaMeter.Load;
import io.dpuactors.service.RdmaMeter.Measured;
import io.dpuactors.service.RdmaMeter.MeterOptions;
import io.dpuactors.service.RdmaMeter.Operation;
import io.dpuactors.wire.RdmaOffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One run of a client's tasks: preparation, measurement, check. Engine's thread. */
final class RdmaRun {
  private static final String BUSY = "the connection is busy";

  private final RdmaRequests requests;
  private final RdmaOffer offer;
  private final RdmaSlots slots;
  private final Load load;
  private final MeterOptions options;
  private final Consumer<Measured> done;
  private final long seed = System.nanoTime();

  /** Tasks in flight. */
  private final int parallel;

  private final long[] sentNs;
  private final boolean isSend;

  /** Requests that wait until the server has handled more messages. */
  private final Deque<Integer> waiting = new ArrayDeque<>();

  private Runnable then = () -> {};

  /** Requests of this phase that were not sent. */
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
      RdmaRequests requests,
      RdmaOffer offer,
      RdmaSlots slots,
      Load load,
      MeterOptions options,
      @Nullable RdmaRun earlier,
      Consumer<Measured> done) {
    this.requests = requests;
    this.offer = offer;
    this.slots = slots;
    this.load = load;
    this.options = options;
    this.done = done;
    this.parallel = (int) Math.min(options.parallel(), load.count());
    this.sentNs = new long[parallel / requests.tasks()];
    this.isSend = load.operation() == Operation.SEND;
    this.unhandled = earlier == null ? 0 : earlier.unhandled;
  }

  /** Begins with a message: the server closes the connection of a client that sends none. */
  void begin() {
    requests.control(RdmaStore.BEGIN);
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
    measure(TaskKind.RDMA_WRITE, load.verify() ? this::readBack : () -> finish(true));
  }

  private void readBack() {
    slots.clear();
    phase(parallel, TaskKind.RDMA_READ, this::compare);
  }

  private void compare() {
    finish(IntStream.range(0, parallel).allMatch(slot -> slots.matches(seed, slot)));
  }

  private void beginReads() {
    slots.aim(offer, load.size());
    if (!load.verify()) {
      measure(TaskKind.RDMA_READ, () -> finish(true));
      return;
    }
    slots.fill(seed);
    phase(
        parallel,
        TaskKind.RDMA_WRITE,
        () -> {
          slots.clear();
          measure(TaskKind.RDMA_READ, this::compare);
        });
  }

  private void beginSends() {
    slots.size(load.size());
    if (!load.verify()) {
      measure(TaskKind.RDMA_SEND, () -> finish(true));
      return;
    }
    slots.fill(seed);
    requests.control(RdmaStore.CHECK);
    measure(TaskKind.RDMA_SEND, () -> requests.control(RdmaStore.REPORT));
  }

  private void beginAtomics() {
    slots.aim(offer, Long.BYTES);
    for (int slot = 0; slot < parallel; slot++) {
      slots.remote(slot).aim(offer.begin(), Long.BYTES);
    }
    if (!load.verify()) {
      measure(TaskKind.RDMA_FETCH_AND_ADD, () -> finish(true));
      return;
    }
    phase(
        1,
        TaskKind.RDMA_READ,
        () -> {
          before = slots.local(0).bytes().getLong(0);
          measure(
              TaskKind.RDMA_FETCH_AND_ADD, () -> phase(1, TaskKind.RDMA_READ, this::compareNumber));
        });
  }

  private void compareNumber() {
    finish(slots.local(0).bytes().getLong(0) == before + load.count());
  }

  private void measure(TaskKind measured, Runnable next) {
    isMeasuring = true;
    requests.prepare(measured, sentNs.length);
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
  private void phase(long count, TaskKind kind, Runnable next) {
    requests.prepare(kind, sentNs.length);
    then = next;
    left = count / requests.tasks();
    int first = (int) Math.min(sentNs.length, left);
    for (int request = 0; request < first; request++) {
      submit(request);
    }
  }

  private void submit(int request) {
    if (isSend && unhandled + requests.tasks() > RdmaOffer.UNHANDLED) {
      waiting.add(request);
      return;
    }
    left--;
    inFlight++;
    sentNs[request] = System.nanoTime();
    if (isSend) {
      unhandled += requests.tasks();
      sum += load.verify() ? requests.crc(request) : 0;
    }
    requests.send(request);
  }

  /** Handles an answer. Returns why the connection cannot continue; empty: it can. */
  Optional<String> on(Reply reply) {
    if (reply instanceof Completed) {
      completed(reply.tag());
      return Optional.empty();
    }
    if (reply instanceof Failed failed) {
      returned(reply.tag(), failed.ownership());
      return Optional.of(failed.error().toString());
    }
    returned(reply.tag(), Ownership.RETURNED);
    return Optional.of(BUSY);
  }

  /** Handles the answer to a batch. Returns as {@link #on(Reply)}. */
  Optional<String> on(BatchReply reply) {
    if (reply instanceof Ended ended) {
      int failure = ended.batch().results().firstFailure();
      if (failure < 0) {
        completed(reply.tag());
        return Optional.empty();
      }
      returned(reply.tag(), Ownership.RETURNED);
      return Optional.of(String.valueOf(ended.batch().results().error(failure)));
    }
    if (reply instanceof BatchFailed failed) {
      returned(reply.tag(), failed.ownership());
      return Optional.of(failed.error().toString());
    }
    returned(reply.tag(), Ownership.RETURNED);
    return Optional.of(BUSY);
  }

  private void returned(long tag, Ownership ownership) {
    if (tag != RdmaRequests.CONTROL && ownership == Ownership.RETURNED) {
      requests.returned((int) tag);
    }
  }

  private void completed(long tag) {
    if (tag == RdmaRequests.CONTROL) {
      return;
    }
    int request = (int) tag;
    inFlight--;
    requests.returned(request);
    if (isMeasuring) {
      options.timesNs().accept(System.nanoTime() - sentNs[request]);
    }
    if (left > waiting.size()) {
      submit(request);
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
    while (!waiting.isEmpty() && unhandled + requests.tasks() <= RdmaOffer.UNHANDLED) {
      submit(waiting.remove());
    }
  }

  /** Returns whether the next step of an unfinished run depends on a message of the server. */
  boolean isWaitingForServer() {
    return inFlight == 0;
  }

  /** Ends this run, also before its last answer. */
  void end() {
    requests.abandon();
  }

  private void finish(boolean isCorrect) {
    requests.close();
    done.accept(new Measured(beginNs, endNs, isCorrect));
  }
}
