package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.SendBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.comch.ProducerProtocol.BatchBusy;
import io.dpuactors.protocol.comch.ProducerProtocol.BatchEnded;
import io.dpuactors.protocol.comch.ProducerProtocol.BatchFailed;
import io.dpuactors.protocol.comch.ProducerProtocol.Produce;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceBatch;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceBusy;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceRequest;
import io.dpuactors.protocol.comch.ProducerProtocol.Produced;
import org.jspecify.annotations.Nullable;

/** Buffers and immediate data that a producer sends, one by one or in batches. */
final class ProduceRequests implements Requests<ProduceRequest> {
  private static final int MAX_IMMEDIATE = 32;

  private final String producer;
  private final RemoteConsumers consumers;

  /**
   * Creates the requests of one producer.
   *
   * @param producer name for errors
   * @param consumers of the peer
   */
  ProduceRequests(String producer, RemoteConsumers consumers) {
    this.producer = producer;
    this.consumers = consumers;
  }

  @Override
  public TaskKind kind(ProduceRequest request) {
    return TaskKind.COMCH_PRODUCER_SEND;
  }

  /** Orders requests per consumer: a consumer without posted buffers does not block the others. */
  @Override
  public int order(ProduceRequest request) {
    return request.consumer();
  }

  private static SendBatch batch(ProduceRequest request) {
    return ((ProduceBatch) request).batch();
  }

  @Override
  public String about(ProduceRequest request) {
    if (request instanceof Produce produce) {
      Buffer src = produce.src();
      return "%d bytes of %s for consumer %d"
          .formatted(src == null ? 0 : src.length(), producer, request.consumer());
    }
    return "batch of %d sends of %s for consumer %d"
        .formatted(batch(request).size(), producer, request.consumer());
  }

  /** Checks single sends only. The constructor of a batch has checked its buffers. */
  @Override
  public @Nullable DocaError unusable(ProduceRequest request) {
    return request instanceof Produce produce ? unusable(produce) : null;
  }

  private @Nullable DocaError unusable(Produce request, Buffer src) {
    if (!src.isLeased()) {
      return error(request, DocaCode.INVALID_VALUE, "the buffer was already returned to its pool");
    }
    return src.isBehindAnother() || src.elements() > 1
        ? error(request, DocaCode.INVALID_VALUE, "a producer sends no chains")
        : null;
  }

  private @Nullable DocaError unusable(Produce request) {
    Buffer src = request.src();
    DocaError error = src == null ? null : unusable(request, src);
    if (error != null) {
      return error;
    }
    if (request.immediate().length > MAX_IMMEDIATE) {
      return error(
          request,
          DocaCode.INVALID_VALUE,
          "%d bytes of immediate data; the limit is %d"
              .formatted(request.immediate().length, MAX_IMMEDIATE));
    }
    if (src == null && request.immediate().length == 0) {
      return error(
          request, DocaCode.INVALID_VALUE, "the request has neither a buffer nor immediate data");
    }
    return null;
  }

  @Override
  public @Nullable DocaError refusal(ProduceRequest request) {
    DocaError unusable = unusable(request);
    if (unusable != null || consumers.contains(request.consumer())) {
      return unusable;
    }
    return error(request, DocaCode.NOT_CONNECTED, "the peer has no such consumer");
  }

  private DocaError error(ProduceRequest request, DocaCode code, String why) {
    return DocaError.of("doca_comch_producer_task_send", code.value(), about(request) + ": " + why);
  }

  @Override
  public @Nullable DocaError take(ProduceRequest request) {
    if (request instanceof Produce produce) {
      Buffer src = produce.src();
      return src == null || src.take(producer)
          ? null
          : error(request, DocaCode.INVALID_VALUE, ContextLimits.notTaken(src));
    }
    return batch(request).begin(request.consumer())
        ? null
        : error(request, DocaCode.INVALID_VALUE, "the batch is in use or closed");
  }

  @Override
  public void returnBuffers(ProduceRequest request) {
    if (!(request instanceof Produce produce)) {
      batch(request).end();
    } else if (produce.src() != null) {
      produce.src().returnTaken();
    }
  }

  @Override
  public void abandon(ProduceRequest request) {
    if (!(request instanceof Produce produce)) {
      batch(request).retain();
    } else if (produce.src() != null) {
      produce.src().abandon();
    }
  }

  @Override
  public boolean offer(ProduceRequest request, EngineCore core, TaskSlot slot, int context) {
    if (!(request instanceof Produce produce)) {
      return core.submissions().offerProduces(slot.userData(), context, batch(request));
    }
    byte[] immediate = produce.immediate();
    long address = immediate.length == 0 ? 0 : core.immediates().put(slot, immediate);
    return core.submissions()
        .offerProduce(
            slot.userData(), context, produce.src(), address, immediate.length, produce.consumer());
  }

  @Override
  public void correct(ProduceRequest request, DocaCode reported, DocaCode reason) {
    if (request instanceof ProduceBatch sends) {
      sends.batch().results().correct(reported, reason);
    }
  }

  @Override
  public void completed(ProduceRequest request, CompletionRing record) {
    returnBuffers(request);
    if (request instanceof Produce produce) {
      BufferReply.send(produce.replyTo(), new Produced(produce.tag(), produce.src()));
    } else {
      ProduceBatch sends = (ProduceBatch) request;
      BufferReply.send(sends.replyTo(), new BatchEnded(sends.tag(), sends.batch()));
    }
  }

  @Override
  public void failed(ProduceRequest request, DocaError error, Ownership ownership) {
    if (request instanceof Produce produce) {
      BufferReply.send(
          produce.replyTo(), new ProduceFailed(produce.tag(), error, produce.src(), ownership));
    } else {
      ProduceBatch sends = (ProduceBatch) request;
      BufferReply.send(
          sends.replyTo(), new BatchFailed(sends.tag(), error, sends.batch(), ownership));
    }
  }

  @Override
  public void busy(ProduceRequest request, int waiting) {
    if (request instanceof Produce produce) {
      BufferReply.send(produce.replyTo(), new ProduceBusy(produce.tag(), produce.src(), waiting));
    } else {
      ProduceBatch sends = (ProduceBatch) request;
      BufferReply.send(sends.replyTo(), new BatchBusy(sends.tag(), sends.batch(), waiting));
    }
  }
}
