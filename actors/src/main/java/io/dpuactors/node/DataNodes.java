package io.dpuactors.node;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Comch;
import io.dpuactors.bridge.DocaContext;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.SubmissionRing;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.protocol.comch.ConsumerProtocol.Post;
import io.dpuactors.protocol.comch.ProducerProtocol.Produce;
import java.util.Map;

/** The native halves of producers and consumers: contexts that depend on a connection. */
public final class DataNodes {
  private static final TaskLimits NO_LIMIT = new TaskLimits(true, Long.MAX_VALUE, 1);

  private DataNodes() {}

  /** Begins the life of a producer. */
  public static ContextNode<TaskLane<Produce>> openProducer(
      EngineCore core,
      Link link,
      String name,
      LaneSettings settings,
      ContextTimes times,
      ContextOwner owner) {
    TaskLane<Produce> lane =
        new TaskLane<>(core, settings, new ProduceRequests(name, link.consumers()));
    return link.adopt(
        core.openContext(
            link.name() + "/" + name,
            lane,
            times,
            (engine, id) ->
                opened(
                    Comch.producer(engine.progressEngine(), link.handle(), id),
                    TaskKind.COMCH_PRODUCER_SEND,
                    settings),
            owner,
            0));
  }

  /**
   * Begins the life of a consumer.
   *
   * @param memory whose buffers will be posted
   */
  public static ContextNode<TaskLane<Post>> openConsumer(
      EngineCore core,
      Link link,
      String name,
      BufferPool memory,
      LaneSettings settings,
      ContextTimes times,
      ContextOwner owner) {
    TaskLane<Post> lane = new TaskLane<>(core, settings, new PostRequests(name, memory));
    return link.adopt(
        core.openContext(
            link.name() + "/" + name,
            lane,
            times,
            (engine, id) ->
                opened(
                    Comch.consumer(
                        engine.progressEngine(),
                        link.handle(),
                        memory.memory(),
                        SubmissionRing.MAX_IMMEDIATE_BYTES,
                        id),
                    TaskKind.COMCH_CONSUMER_RECV,
                    settings),
            owner,
            0));
  }

  private static ContextOpener.Opened opened(
      DocaContext fresh, TaskKind kind, LaneSettings settings) {
    try {
      fresh.configure(kind, settings.window());
    } catch (DocaException e) {
      fresh.destroy();
      throw e;
    }
    return new ContextOpener.Opened(fresh, Map.of(kind, NO_LIMIT));
  }
}
