package io.dpuactors.node;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.RegisteredPool;
import io.dpuactors.bridge.internal.SubmissionRing;
import io.dpuactors.protocol.DeviceRequest;

/** Opens the native halves of producers and consumers, which are contexts of a connection. */
public final class DataNodes {
  private DataNodes() {}

  /** Opens a producer. */
  public static ContextNode<TaskLane<DeviceRequest>> openProducer(
      EngineCore core,
      Link link,
      String name,
      LaneSettings settings,
      ContextTimes times,
      ContextOwner owner) {
    TaskLane<DeviceRequest> lane =
        new TaskLane<>(core, settings, new ProduceRequests(name, link.consumers()));
    return link.adopt(
        core.openContext(
            link.name() + "/" + name,
            lane,
            times,
            (engine, id) ->
                ContextOpener.Opened.forTasks(
                        Comch.producer(engine.progressEngine(), link.handle(), id),
                        TaskKind.COMCH_PRODUCER_SEND,
                        settings.window(),
                        () -> {})
                    .on(link.device()),
            owner,
            0));
  }

  /**
   * Opens a consumer.
   *
   * @param memory pool of the buffers that will be posted
   */
  public static ContextNode<TaskLane<DeviceRequest>> openConsumer(
      EngineCore core,
      Link link,
      String name,
      BufferPool memory,
      LaneSettings settings,
      ContextTimes times,
      ContextOwner owner) {
    TaskLane<DeviceRequest> lane = new TaskLane<>(core, settings, new PostRequests(name, memory));
    return link.adopt(
        core.openContext(
            link.name() + "/" + name,
            lane,
            times,
            (engine, id) ->
                ContextOpener.Opened.forTasks(
                        Comch.consumer(
                            engine.progressEngine(),
                            link.handle(),
                            RegisteredPool.mapOf(memory),
                            SubmissionRing.MAX_IMMEDIATE_BYTES,
                            id),
                        TaskKind.COMCH_CONSUMER_RECV,
                        settings.window(),
                        () -> {})
                    .on(link.device()),
            owner,
            0));
  }
}
