package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.PoolMemory;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.CompareAndSwap;
import io.dpuactors.protocol.RdmaConnectionProtocol.FetchAndAdd;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Read;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.protocol.RdmaEventProtocol.EventRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Tasks of one RDMA connection. The device executes them in order, also of different kinds. */
final class RdmaRequests extends BufferRequests<PeerRequest> {
  private int connection;
  private @Nullable DocaContext running;
  private @Nullable BufferPool numbers;

  /**
   * Creates the requests of one connection.
   *
   * @param name of the connection, for errors
   */
  RdmaRequests(String name) {
    super(name, "doca_rdma_task_submit", PeerRequest.class);
  }

  /**
   * Sets the number of the established connection.
   *
   * @param own memory for the numbers of tasks on events, one per task on the device
   */
  void connected(DocaContext context, int number, BufferPool own) {
    running = context;
    connection = number;
    numbers = own;
  }

  @Override
  public boolean sharesWindow() {
    return true;
  }

  @Override
  String describe(PeerRequest task) {
    return task.kind() + " task";
  }

  /** Checks what the device would answer by ending the connection. */
  @Override
  @Nullable DocaError unusableTask(PeerRequest task) {
    String why;
    if (task instanceof Write write) {
      why = unusableWrite(write.src(), write.src().length(), write.dst());
    } else if (task instanceof Read read) {
      why = unusableRead(read.src(), read.src().length(), read.dst());
    } else if (task instanceof Send send) {
      why = send.src() == null ? null : unusableLocal(send.src());
    } else if (task instanceof CompareAndSwap swap) {
      why = unusableNumber(swap.src(), swap.dst());
    } else if (task instanceof FetchAndAdd add) {
      why = unusableNumber(add.src(), add.dst());
    } else {
      why = null; // a task on an event has no buffers
    }
    return why == null ? null : invalid(task, why);
  }

  private static @Nullable String unusableWrite(Buffer src, long bytes, Buffer dst) {
    String why = unusableLocal(src);
    why = why == null ? unusableRemote(dst, Permission.RDMA_WRITE) : why;
    return why == null ? unusableLength(bytes, dst) : why;
  }

  private static @Nullable String unusableRead(Buffer src, long bytes, Buffer dst) {
    String why = unusableLocal(dst);
    why = why == null ? unusableRemote(src, Permission.RDMA_READ) : why;
    return why == null ? unusableLength(bytes, dst) : why;
  }

  private static @Nullable String unusableLength(long bytes, Buffer dst) {
    return bytes > dst.capacity()
        ? "%d bytes do not fit into %d".formatted(bytes, dst.capacity())
        : null;
  }

  private static @Nullable String unusableNumber(Buffer number, Buffer before) {
    String why = unusableLocal(before);
    why = why == null ? unusableRemote(number, Permission.RDMA_ATOMIC) : why;
    if (why != null) {
      return why;
    }
    if (number.length() != Long.BYTES || number.address() % Long.BYTES != 0) {
      return "the number has %d bytes at %#x; it must have 8 at a multiple of 8"
          .formatted(number.length(), number.address());
    }
    return before.capacity() < Long.BYTES ? "the destination has no room for 8 bytes" : null;
  }

  private static @Nullable String unusableLocal(Buffer buffer) {
    return buffer.pool().memory().grantedByPeer().isEmpty()
        ? null
        : buffer + " is memory of the peer, where local memory is needed";
  }

  private static @Nullable String unusableRemote(Buffer buffer, Permission permission) {
    var granted = buffer.pool().memory().grantedByPeer();
    if (granted.isEmpty()) {
      return buffer + " is no memory of the peer";
    }
    return granted.contains(permission)
        ? null
        : "the peer grants %s, and the task needs %s".formatted(granted, permission);
  }

  @Override
  @Nullable DocaError unusableBatch(DeviceRequest request, TaskBatch batch) {
    if (batch.isChecked(request.kind())) {
      return null;
    }
    for (int task = 0; task < batch.size(); task++) {
      String why = unusable(request.kind(), batch, task);
      if (why != null) {
        return invalid(request, "task %d: %s".formatted(task, why));
      }
    }
    batch.checked(request.kind());
    return null;
  }

  private static @Nullable String unusable(TaskKind kind, TaskBatch batch, int task) {
    Buffer src = batch.sources().get(task);
    if (kind == TaskKind.RDMA_SEND) {
      return unusableLocal(src);
    }
    Buffer dst = batch.destinations().get(task);
    return kind == TaskKind.RDMA_WRITE
        ? unusableWrite(src, batch.sourceLength(task), dst)
        : unusableRead(src, batch.sourceLength(task), dst);
  }

  @Override
  public int places(DeviceRequest request) {
    TaskBatch batch = request.batch();
    return batch == null ? 1 : batch.size();
  }

  @Override
  void prepare(DeviceRequest request, TaskBatch batch) {
    batch.argument(Integer.toUnsignedLong(connection));
  }

  @Override
  public @Nullable DocaError refusal(DeviceRequest request) {
    TaskHandle event = request.handle();
    if (event != null && (running == null || !event.belongsTo(running))) {
      return invalid(
          request, event + " belongs to another context, or to this one before its restart");
    }
    Buffer foreign = numbers == null ? null : foreign(request, numbers.memory());
    return foreign == null
        ? null
        : invalid(request, foreign + " is memory of another device than that of the context");
  }

  /** Returns a buffer for which the device would end the connection, or null. */
  private static @Nullable Buffer foreign(DeviceRequest request, PoolMemory own) {
    TaskBatch batch = request.batch();
    if (batch != null) {
      return batch.foreign(own);
    }
    Buffer src = request.src();
    if (src != null && !src.pool().memory().isOnDeviceOf(own)) {
      return src;
    }
    Buffer dst = request.dst();
    return dst == null || dst.pool().memory().isOnDeviceOf(own) ? null : dst;
  }

  @Override
  boolean offerTask(PeerRequest task, EngineCore core, TaskSlot slot, int handle) {
    if (task instanceof CompareAndSwap swap) {
      return offerAtomic(task, core, slot, handle, swap.value(), swap.expected());
    }
    if (task instanceof FetchAndAdd add) {
      return offerAtomic(task, core, slot, handle, add.summand(), 0);
    }
    if (task instanceof EventRequest event) {
      return offerEvent(event, core, slot, handle);
    }
    return core.submissions()
        .toPeers()
        .offer(
            slot.userData(),
            handle,
            task.kind(),
            task.src(),
            task.dst(),
            connection,
            task.immediate().orElse(0));
  }

  private boolean offerAtomic(
      PeerRequest task, EngineCore core, TaskSlot slot, int handle, long operand, long compared) {
    if (core.submissions().free() == 0) {
      return false;
    }
    byte[] operands =
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .putLong(operand)
            .putLong(compared)
            .array();
    return core.submissions()
        .toPeers()
        .offerAtomic(
            slot.userData(),
            handle,
            task.kind(),
            buffer(task.src()),
            buffer(task.dst()),
            connection,
            core.immediates().put(slot, operands));
  }

  private boolean offerEvent(EventRequest task, EngineCore core, TaskSlot slot, int handle) {
    Buffer number = numbers == null || core.submissions().free() == 0 ? null : numbers.lease();
    if (number == null) {
      return false;
    }
    slot.number = number;
    number.bytes().putLong(0, task.value());
    return core.submissions()
        .toPeers()
        .offerEvent(
            slot.userData(),
            handle,
            task.kind(),
            number,
            connection,
            task.handle().pointer(),
            task.value());
  }

  private static Buffer buffer(@Nullable Buffer present) {
    if (present == null) {
      throw new IllegalArgumentException("an atomic task has two buffers");
    }
    return present;
  }

  /** A write fills the peer's memory, whose length only this program has. */
  @Override
  long written(PeerRequest task, CompletionRing record) {
    return task instanceof Write write ? write.src().length() : record.produced();
  }

  @Override
  void answer(PeerRequest task, CompletionRing record) {
    if (task instanceof EventRequest event) {
      event.completed(record.produced());
    } else {
      task.completed();
    }
  }
}
