package io.dpuactors.engine;

import com.typesafe.config.Config;
import io.dpuactors.protocol.BufferRequest;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports requests that are answered never or more than once: a debugging aid for any protocol
 * whose requests are records with a component {@code replyTo}. The log has a warning for each such
 * request.
 *
 * <pre>
 *   context.spawn(AnswerWatch.get(system).around(MyActor.create()), "mine");
 * </pre>
 *
 * <p>The watch replaces {@code replyTo} by a reference that counts the answers and passes them on
 * at once. All other messages pass unchanged. So do requests with an empty {@code replyTo}, records
 * of a module that is not open to this one, and requests beyond 65,536 unanswered ones. The actor
 * must be in the process of the receivers. The setting {@code dpu.answer-watch.enabled} adds the
 * watch to every engine and to the contexts that engines open. Thread: any.
 */
public final class AnswerWatch implements Extension {
  private static final ExtensionId<AnswerWatch> ID =
      new ExtensionId<>() {
        @Override
        public AnswerWatch createExtension(ActorSystem<?> system) {
          return new AnswerWatch(system);
        }
      };

  private static final Logger LOG = LoggerFactory.getLogger(AnswerWatch.class);
  private static final String SECTION = "dpu.answer-watch";
  private static final int MAX_PROBLEMS = 1000;

  /** Requests at a time; further ones pass unchanged, so that lost answers do not fill the heap. */
  private static final int MAX_WATCHED = 1 << 16;

  private final ActorSystem<?> system;
  private final Duration limit;
  private final Set<WatchedRequest> unanswered = ConcurrentHashMap.newKeySet();
  private final Queue<String> repeated = new ConcurrentLinkedQueue<>();

  private AnswerWatch(ActorSystem<?> system) {
    this.system = system;
    Config config = system.settings().config().getConfig(SECTION);
    limit = config.getDuration("limit");
    Duration period = limit.dividedBy(4).plusNanos(1);
    system
        .scheduler()
        .scheduleWithFixedDelay(period, period, this::reportLate, system.executionContext());
  }

  /** Returns the watch of an actor system. */
  public static AnswerWatch get(ActorSystem<?> system) {
    return ID.apply(system);
  }

  /** Returns the behavior under the watch of a system if the setting enables it. */
  static <C> Behavior<C> ifEnabled(ActorSystem<?> system, Behavior<C> behavior) {
    return system.settings().config().getBoolean(SECTION + ".enabled")
        ? get(system).around(behavior)
        : behavior;
  }

  /** Returns a behavior whose requests are watched. */
  public <C> Behavior<C> around(Behavior<C> behavior) {
    return Behaviors.<Object, Object>intercept(Interceptor::new, behavior.unsafeCast()).narrow();
  }

  /** Returns the requests without an answer so far. */
  public List<String> unanswered() {
    return unanswered.stream().map(WatchedRequest::toString).toList();
  }

  /** Returns the requests with more than one answer, up to 1,000, each with its answers. */
  public List<String> answeredTwice() {
    return List.copyOf(repeated);
  }

  /** Replaces the receiver of the answer; returns other messages unchanged. */
  private Object watched(Object message, ActorRef<?> actor) {
    ReplyField field = ReplyField.of(message);
    ActorRef<?> receiver = field == null ? null : field.receiver(message);
    if (field == null || receiver == null || unanswered.size() >= MAX_WATCHED) {
      return message;
    }
    if (message instanceof BufferRequest) {
      DeadRequests.watch(receiver);
    }
    WatchedRequest request = new WatchedRequest(message, actor, receiver);
    unanswered.add(request);
    return field.with(message, request.reference(system, unanswered::remove, this::reportRepeated));
  }

  private void reportLate() {
    long nowNs = System.nanoTime();
    for (WatchedRequest request : unanswered) {
      if (request.isLate(nowNs, limit.toNanos())) {
        LOG.warn("no answer within {} ms: {}", limit.toMillis(), request);
      }
    }
  }

  private void reportRepeated(String answers) {
    if (repeated.size() < MAX_PROBLEMS) {
      repeated.add(answers);
    }
    LOG.warn("more than one answer: {}", answers);
  }

  private final class Interceptor extends BehaviorInterceptor<Object, Object> {
    Interceptor() {
      super(Object.class);
    }

    @Override
    public Behavior<Object> aroundReceive(
        TypedActorContext<Object> context, Object message, ReceiveTarget<Object> target) {
      return target.apply(context, watched(message, context.asJava().getSelf()));
    }

    @Override
    public boolean isSame(BehaviorInterceptor<Object, Object> other) {
      return other instanceof Interceptor;
    }
  }
}
