package io.dpuactors.engine;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskBuffers.Part;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskProtocol.CapabilityQuery;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A context of an {@link EngineGroup}: one context of tasks on each of several engines, behind one
 * {@code ActorRef}. A request goes to the engine of its buffers. After the end of a context, its
 * memory grants no more leases, and requests with its buffers fail. This actor ends with its last
 * context. Any dispatcher.
 */
final class GroupContext {
  /** Reports buffers that the group has opened: the memory of each context. */
  record Opened(Map<ActorRef<?>, Part> memory) implements LocalMessage {}

  /** Reports buffers that the group has closed. */
  record Closed(List<Part> memory) implements LocalMessage {}

  private final ActorContext<Object> context;
  private final Set<ActorRef<?>> running;
  private final Map<BufferPool, ActorRef<?>> contextOf = new LinkedHashMap<>();
  private final StopRequests stops = new StopRequests();
  private boolean clean = true;

  private GroupContext(ActorContext<Object> context, List<? extends ActorRef<?>> contexts) {
    this.context = context;
    this.running = new LinkedHashSet<>(contexts);
    contexts.forEach(context::watch);
  }

  /**
   * Returns the behavior over running contexts of one library.
   *
   * @param <C> messages of the contexts
   */
  static <C> Behavior<C> create(List<ActorRef<C>> contexts) {
    return Behaviors.<Object>setup(context -> new GroupContext(context, contexts).behavior())
        .narrow();
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(DeviceRequest.class, this::onRequest)
        .onMessage(CapabilityQuery.class, this::onQuery)
        .onMessage(Opened.class, this::onOpened)
        .onMessage(Closed.class, this::onClosed)
        .onMessage(Stop.class, this::onStop)
        .onMessage(Stopped.class, this::onStopped)
        .onMessage(Request.class, this::onOther)
        .onSignal(Terminated.class, this::onTerminated)
        .onSignal(PostStop.class, signal -> onPostStop())
        .build();
  }

  private Behavior<Object> onRequest(DeviceRequest request) {
    ActorRef<?> owner = owner(request);
    if (owner == null) {
      return fail(request, DocaCode.INVALID_VALUE, "the buffers are no pairs of this context");
    }
    if (!running.contains(owner)) {
      return fail(
          request, DocaCode.SHUTDOWN, owner.path().parent().name() + " has lost its context");
    }
    owner.<Object>unsafeUpcast().tell(request);
    return Behaviors.same();
  }

  /** Returns the context of the buffers; null if they are not of one context. */
  private @Nullable ActorRef<?> owner(DeviceRequest request) {
    ActorRef<?> owner = null;
    for (Buffer buffer : buffers(request).toList()) {
      ActorRef<?> next = contextOf.get(buffer.pool());
      if (next == null || (owner != null && !owner.equals(next))) {
        return null;
      }
      owner = next;
    }
    return owner;
  }

  private static Stream<Buffer> buffers(DeviceRequest request) {
    TaskBatch batch = request.batch();
    if (batch != null) {
      return Stream.concat(batch.sources().stream(), batch.destinations().stream());
    }
    return Stream.of(request.src(), request.dst()).flatMap(Stream::ofNullable);
  }

  private Behavior<Object> fail(DeviceRequest request, DocaCode code, String why) {
    request.failed(
        DocaError.of("engine group", code, context.getSelf().path().name() + ": " + why),
        Ownership.RETURNED);
    return Behaviors.same();
  }

  private Behavior<Object> onQuery(CapabilityQuery query) {
    first().<Object>unsafeUpcast().tell(query);
    return Behaviors.same();
  }

  private ActorRef<?> first() {
    return running.iterator().next();
  }

  /** Refuses a request that belongs to one engine, such as the creation of a key. */
  private Behavior<Object> onOther(Request request) {
    request.refuse(
        DocaError.of(
            "engine group",
            DocaCode.NOT_SUPPORTED,
            request.getClass().getSimpleName() + " needs a context of one engine"));
    return Behaviors.same();
  }

  private Behavior<Object> onOpened(Opened opened) {
    opened
        .memory()
        .forEach(
            (owner, part) -> {
              contextOf.put(part.sources(), owner);
              contextOf.put(part.destinations(), owner);
              if (!running.contains(owner)) {
                part.stopLending();
              }
            });
    return Behaviors.same();
  }

  private Behavior<Object> onClosed(Closed closed) {
    closed
        .memory()
        .forEach(
            part -> contextOf.keySet().removeAll(List.of(part.sources(), part.destinations())));
    return Behaviors.same();
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    ActorRef<Stopped> self = context.getSelf().narrow();
    running.forEach(one -> one.<Object>unsafeUpcast().tell(new Stop(self)));
    return Behaviors.same();
  }

  private Behavior<Object> onStopped(Stopped stopped) {
    clean &= stopped.clean();
    return Behaviors.same();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    running.remove(signal.getRef());
    contextOf.forEach(
        (pool, owner) -> {
          if (owner.equals(signal.getRef())) {
            pool.stopLending();
          }
        });
    return running.isEmpty() ? Behaviors.stopped() : Behaviors.same();
  }

  private Behavior<Object> onPostStop() {
    stops.answer(
        clean
            ? Stopped.CLEAN
            : new Stopped(false, "contexts of " + context.getSelf().path().name()));
    return Behaviors.same();
  }
}
