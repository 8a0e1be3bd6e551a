package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Written;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The receives of an RDMA context, which serve all its connections. Each is posted again as soon as
 * its message is copied, so that a slow reader holds up no other connection. Engine's thread.
 */
final class RdmaReceives implements Requests<Buffer> {
  /** Values of {@code enum doca_rdma_opcode}. */
  private static final int SEND = 0;

  private static final int WRITE_WITH_IMMEDIATE = 2;

  /** Time between two attempts to post a receive. */
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Receives the messages. */
  interface Router {
    /** Handles a message of a connection, which may have ended. */
    void onMessage(int connection, Event event);
  }

  private final String context;
  private final Router router;
  private final int count;
  private final TaskLane<Buffer> lane;

  /** Receives that the device did not accept. They are posted again after a pause. */
  private final List<Buffer> refused = new ArrayList<>();

  private long pauseNs;
  private boolean isOpen;

  /**
   * Creates receives that are not posted.
   *
   * @param context name for errors
   * @param count number of posted receives
   */
  RdmaReceives(EngineCore core, String context, int count, Router router) {
    this.context = context;
    this.router = router;
    this.count = count;
    this.lane = new TaskLane<>(core, new LaneSettings(count, count, Nanos.FOREVER), this);
  }

  void belongTo(LoadedNode<?> carrier) {
    lane.belongTo(carrier);
  }

  private static Map<TaskKind, TaskLimits> kinds() {
    return ContextOpener.Opened.unlimited(TaskKind.RDMA_RECEIVE);
  }

  /** Reserves the slots. */
  void reserve() {
    lane.reserve(context, kinds());
  }

  void destroyed() {
    lane.destroyed();
  }

  /** Posts all receives to the running context. */
  void open(DocaContext running, BufferPool memory) {
    isOpen = true;
    lane.open(running, kinds());
    for (int i = 0; i < count; i++) {
      Buffer buffer = memory.lease();
      if (buffer != null) {
        lane.accept(buffer);
      }
    }
  }

  /** Posts no receive again. */
  void close(DocaError reason) {
    isOpen = false;
    lane.close(reason);
    refused.forEach(Buffer::release);
    refused.clear();
  }

  int inFlight() {
    return lane.inFlight();
  }

  void turn(long nowNs, NextTurn next) {
    lane.turn(nowNs, next);
    if (refused.isEmpty()) {
      pauseNs = 0;
    } else if (pauseNs == 0) {
      pauseNs = nowNs + PAUSE_NS;
      next.at(pauseNs);
    } else if (pauseNs - nowNs > 0) {
      next.at(pauseNs);
    } else {
      pauseNs = 0;
      List<Buffer> again = List.copyOf(refused);
      refused.clear();
      again.forEach(lane::accept);
    }
  }

  void expireAll() {
    lane.expireAll();
  }

  @Override
  public TaskKind kind(Buffer request) {
    return TaskKind.RDMA_RECEIVE;
  }

  @Override
  public String about(Buffer request) {
    return "receive of %d bytes of %s".formatted(request.capacity(), context);
  }

  @Override
  public @Nullable DocaError unusable(Buffer request) {
    return null;
  }

  @Override
  public @Nullable DocaError refusal(Buffer request) {
    return null;
  }

  @Override
  public boolean offer(Buffer request, EngineCore core, TaskSlot slot, int handle) {
    return core.submissions().toPeers().offerReceive(slot.userData(), handle, request);
  }

  @Override
  public void completed(Buffer request, CompletionRing record) {
    int connection = record.connection();
    Event event = event(request, record);
    lane.accept(request);
    router.onMessage(connection, event);
  }

  private static Event event(Buffer received, CompletionRing record) {
    int opcode = record.opcode();
    int number = record.immediateNumber();
    if (opcode == WRITE_WITH_IMMEDIATE) {
      return new Written(record.produced(), number);
    }
    byte[] bytes = new byte[Math.toIntExact(record.produced())];
    ByteBuffer view = received.bytes();
    view.get(0, bytes);
    return new Message(bytes, opcode == SEND ? OptionalInt.empty() : OptionalInt.of(number));
  }

  /** Lends the buffer to the device. Its lease ends with {@link #returnBuffers}. */
  @Override
  public void releaseAfterTasks(Buffer request) {
    request.lend();
    request.releaseAfterTasks();
  }

  @Override
  public void returnBuffers(Buffer request) {
    if (request.isLent()) {
      request.returnLoan();
    }
  }

  /**
   * A receive that the device has failed, as for a message that is too large, is posted again at
   * once. The device accepts no receive while it has no memory.
   */
  @Override
  public void failed(Buffer request, DocaError error, Ownership ownership) {
    if (ownership == Ownership.RETAINED) {
      return;
    }
    if (isOpen && error.operation().equals("doca_task")) {
      lane.accept(request);
    } else if (isOpen && error.operation().equals("doca_task_submit")) {
      refused.add(request);
    } else {
      request.release();
    }
  }

  @Override
  public void busy(Buffer request, int waiting) {
    request.release();
  }
}
