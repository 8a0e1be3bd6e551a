package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.SubmissionRing;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.protocol.ProducerProtocol.ProduceRequest;
import org.jspecify.annotations.Nullable;

/** Buffers and immediate data that a producer sends, one by one or in batches. */
final class ProduceRequests extends BufferRequests<Produce> {
  private final RemoteConsumers consumers;

  /**
   * Creates the requests of one producer.
   *
   * @param producer name for errors
   * @param consumers of the peer
   */
  ProduceRequests(String producer, RemoteConsumers consumers) {
    super(producer, "doca_comch_producer_task_send", Produce.class);
    this.consumers = consumers;
  }

  /** Orders requests per consumer: a consumer without posted buffers does not block the others. */
  @Override
  public int order(DeviceRequest request) {
    return ((ProduceRequest) request).consumer();
  }

  @Override
  String describe(Produce task) {
    Buffer src = task.src();
    return "send of %d bytes to consumer %d"
        .formatted(src == null ? 0 : src.length(), task.consumer());
  }

  @Override
  @Nullable DocaError unusableTask(Produce task) {
    int bytes = task.immediate().length;
    if (bytes > SubmissionRing.MAX_IMMEDIATE_BYTES) {
      return invalid(
          task,
          "%d bytes of immediate data; the limit is %d"
              .formatted(bytes, SubmissionRing.MAX_IMMEDIATE_BYTES));
    }
    return task.src() == null && bytes == 0
        ? invalid(task, "the request has neither a buffer nor immediate data")
        : null;
  }

  /** Accepts every batch: its constructor has checked its buffers. */
  @Override
  @Nullable DocaError unusableBatch(DeviceRequest request, TaskBatch batch) {
    return null;
  }

  @Override
  public @Nullable DocaError refusal(DeviceRequest request) {
    return consumers.contains(order(request))
        ? null
        : error(request, DocaCode.NOT_CONNECTED, "the peer has no such consumer");
  }

  @Override
  void prepare(DeviceRequest request, TaskBatch batch) {
    batch.argument(Integer.toUnsignedLong(order(request)));
  }

  @Override
  boolean offerTask(Produce task, EngineCore core, TaskSlot slot, int handle) {
    byte[] immediate = task.immediate();
    long address = immediate.length == 0 ? 0 : core.immediates().put(slot, immediate);
    return core.submissions()
        .offerProduce(
            slot.userData(), handle, task.src(), address, immediate.length, task.consumer());
  }

  @Override
  void answer(Produce task, CompletionRing record) {
    task.produced();
  }
}
