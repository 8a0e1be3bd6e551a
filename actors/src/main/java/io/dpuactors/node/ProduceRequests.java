package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.CompletionRing;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.comch.ProducerProtocol.Produce;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceBusy;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.comch.ProducerProtocol.Produced;
import org.jspecify.annotations.Nullable;

/** Buffers and immediate data that a producer sends. */
final class ProduceRequests implements Requests<Produce> {
  private static final int MAX_IMMEDIATE = 32;

  private final String producer;
  private final RemoteConsumers consumers;

  /**
   * Of one producer.
   *
   * @param producer for errors
   * @param consumers those that the peer has
   */
  ProduceRequests(String producer, RemoteConsumers consumers) {
    this.producer = producer;
    this.consumers = consumers;
  }

  @Override
  public TaskKind kind(Produce request) {
    return TaskKind.COMCH_PRODUCER_SEND;
  }

  /** A consumer that has posted nothing holds up no other. */
  @Override
  public int order(Produce request) {
    return request.consumer();
  }

  @Override
  public String about(Produce request) {
    Buffer src = request.src();
    return "%d bytes of %s for consumer %d"
        .formatted(src == null ? 0 : src.length(), producer, request.consumer());
  }

  @Override
  public @Nullable DocaError unusable(Produce request) {
    Buffer src = request.src();
    if (src != null && !src.isLeased()) {
      return error(request, DocaCode.INVALID_VALUE, "the buffer was already returned to its pool");
    }
    if (src != null && (src.isBehindAnother() || src.elements() > 1)) {
      return error(request, DocaCode.INVALID_VALUE, "a producer sends no chains");
    }
    if (request.immediate().length > MAX_IMMEDIATE) {
      return error(
          request,
          DocaCode.INVALID_VALUE,
          "%d bytes of immediate data; the limit is %d"
              .formatted(request.immediate().length, MAX_IMMEDIATE));
    }
    if (src == null && request.immediate().length == 0) {
      return error(request, DocaCode.INVALID_VALUE, "neither a buffer nor immediate data");
    }
    return null;
  }

  @Override
  public @Nullable DocaError refusal(Produce request) {
    DocaError unusable = unusable(request);
    if (unusable != null || consumers.contains(request.consumer())) {
      return unusable;
    }
    return error(request, DocaCode.NOT_CONNECTED, "the peer has no such consumer");
  }

  private DocaError error(Produce request, DocaCode code, String why) {
    return DocaError.of("doca_comch_producer_task_send", code.value(), about(request) + ": " + why);
  }

  @Override
  public @Nullable DocaError take(Produce request) {
    Buffer src = request.src();
    return src == null || src.lend()
        ? null
        : error(request, DocaCode.INVALID_VALUE, "the buffer was already returned to its pool");
  }

  @Override
  public void letGo(Produce request) {
    Buffer src = request.src();
    if (src != null) {
      src.comeBack();
    }
  }

  @Override
  public void abandon(Produce request) {
    Buffer src = request.src();
    if (src != null) {
      src.abandon();
    }
  }

  @Override
  public boolean offer(Produce request, EngineCore core, TaskSlot slot, int context) {
    byte[] immediate = request.immediate();
    long address = 0;
    if (immediate.length > 0) {
      core.outbox().view(slot.index).put(0, immediate);
      address = core.outbox().address(slot.index);
    }
    return core.submissions()
        .offerProduce(
            slot.userData(), context, request.src(), address, immediate.length, request.consumer());
  }

  @Override
  public void completed(Produce request, CompletionRing record) {
    letGo(request);
    request.replyTo().tell(new Produced(request.tag(), request.src()));
  }

  @Override
  public void failed(Produce request, DocaError error, Ownership ownership) {
    request.replyTo().tell(new ProduceFailed(request.tag(), error, request.src(), ownership));
  }

  @Override
  public void busy(Produce request, int waiting) {
    request.replyTo().tell(new ProduceBusy(request.tag(), request.src(), waiting));
  }
}
