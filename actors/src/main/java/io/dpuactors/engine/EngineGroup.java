package io.dpuactors.engine;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.loop.EngineLog;
import io.dpuactors.loop.LoopCounters;
import io.dpuactors.loop.LosslessMailbox;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.EngineProtocol.Command;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenTasks;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of engines behind one {@code ActorRef}, for contexts of tasks. Programs use it as
 * one engine: they open a context, open its buffers with {@link OpenBuffers}, and send requests.
 *
 * <ul>
 *   <li>A context of the group has one context on every engine whose device has all the kinds of
 *       its options.
 *   <li>A lease of a pair of buffers selects the engine with the fewest pairs in use. The request
 *       runs there.
 *   <li>A lost engine or context stops. Each of its requests gets one answer. The answer is {@code
 *       Completed} if the device completes the task before its context has stopped, else {@code
 *       Failed}. The group sends nothing again. The other engines continue; the group fails when
 *       its last engine has failed.
 * </ul>
 *
 * <p>Servers, clients and other memory belong to one engine: the group refuses them with
 * NOT_SUPPORTED. The actor runs on any dispatcher; each engine has its own thread.
 */
public final class EngineGroup {
  private static final Duration STATUS_LIMIT = Duration.ofSeconds(10);

  /**
   * One engine.
   *
   * @param device the device of its contexts; empty: that of their options
   */
  record Member(ActorRef<Command> engine, Optional<String> device) {}

  /** Runs on the actor's thread, after asynchronous steps. */
  record Step(Runnable action) implements LocalMessage {}

  private final ActorContext<Object> context;
  private final List<Member> members = new ArrayList<>();
  private final GroupAnswers answers;
  private final GroupContexts contexts;
  private final GroupBuffers buffers;
  private final StopRequests stops = new StopRequests();
  private final List<String> left = new ArrayList<>();
  private boolean stopping;
  private @Nullable Throwable failure;

  private EngineGroup(ActorContext<Object> context, GroupOptions options) {
    context.setLoggerName(EngineGroup.class);
    this.context = context;
    for (int i = 0; i < options.engines(); i++) {
      String name = context.getSelf().path().name() + "-" + i;
      ActorRef<Command> engine = Engine.spawn(context, name, options.settings());
      context.watch(engine);
      List<String> devices = options.devices();
      members.add(
          new Member(
              engine,
              devices.isEmpty() ? Optional.empty() : Optional.of(devices.get(i % devices.size()))));
    }
    this.answers = new GroupAnswers(context);
    this.contexts = new GroupContexts(context, members, answers);
    this.buffers = new GroupBuffers(context, contexts, answers);
    DeadRequests.answerFor(context.getSelf(), context.getSystem());
  }

  /** Spawns a group as a child on the default dispatcher, with {@link #create}. */
  public static ActorRef<Command> spawn(ActorContext<?> parent, String name, GroupOptions options) {
    return parent.spawn(
        create(options), name, LosslessMailbox.of(DispatcherSelector.defaultDispatcher()));
  }

  /**
   * Returns the behavior of a group. The engines are its children; their names are the name of the
   * group and a number, such as {@code group-0}. That name is unique among the engines of the actor
   * system.
   */
  public static Behavior<Command> create(GroupOptions options) {
    return Behaviors.<Object>setup(context -> new EngineGroup(context, options).behavior())
        .narrow();
  }

  private Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(OpenTasks.class, this::onOpenTasks)
        .onMessage(OpenBuffers.class, this::onOpenBuffers)
        .onMessage(CloseBuffers.class, this::onCloseBuffers)
        .onMessage(GetStatus.class, this::onGetStatus)
        .onMessage(Stop.class, this::onStop)
        .onMessage(Stopped.class, this::onStopped)
        .onMessage(Step.class, this::onStep)
        .onMessage(Request.class, this::onOther)
        .onSignal(Terminated.class, this::onEnded)
        .onSignal(PreRestart.class, signal -> onEnd())
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<Object> onStep(Step step) {
    step.action().run();
    return Behaviors.same();
  }

  private Behavior<Object> onOpenTasks(OpenTasks<?> command) {
    if (stopping) {
      return refuse(command, DocaCode.SHUTDOWN, "the group is stopping");
    }
    contexts.open(command);
    return Behaviors.same();
  }

  private Behavior<Object> onOpenBuffers(OpenBuffers command) {
    if (stopping) {
      return refuse(command, DocaCode.SHUTDOWN, "the group is stopping");
    }
    buffers.open(command);
    return Behaviors.same();
  }

  private Behavior<Object> onCloseBuffers(CloseBuffers command) {
    buffers.close(command);
    return Behaviors.same();
  }

  private Behavior<Object> onOther(Request request) {
    return refuse(
        request,
        DocaCode.NOT_SUPPORTED,
        request.getClass().getSimpleName() + " needs one engine; a group only runs tasks");
  }

  private Behavior<Object> refuse(Request request, DocaCode code, String why) {
    GroupAnswers.refuse(request, code, why);
    return Behaviors.same();
  }

  private Behavior<Object> onGetStatus(GetStatus command) {
    List<CompletableFuture<Status>> all =
        members.stream().map(member -> status(member.engine())).toList();
    answers.after(
        command,
        all,
        () -> command.replyTo().tell(sum(all.stream().map(CompletableFuture::join).toList())));
    return Behaviors.same();
  }

  private CompletableFuture<Status> status(ActorRef<Command> engine) {
    return AskPattern.<Command, Status>ask(
            engine, GetStatus::new, STATUS_LIMIT, context.getSystem().scheduler())
        .exceptionally(late -> Status.ENDED)
        .toCompletableFuture();
  }

  /** Adds up the numbers of all engines. The longest turn is that of one engine. */
  private static Status sum(List<Status> all) {
    Map<Census.Resource, Integer> open = new EnumMap<>(Census.Resource.class);
    Map<String, Long> counters = new TreeMap<>();
    for (Status one : all) {
      one.open().forEach((kind, count) -> open.merge(kind, count, Integer::sum));
      one.counters().forEach((name, count) -> LoopCounters.add(counters, name, count));
    }
    return new Status(
        all.stream().map(Status::library).max(String::compareTo).orElse(""),
        open,
        all.stream().mapToInt(Status::tasksInFlight).sum(),
        counters);
  }

  private Behavior<Object> onStop(Stop stop) {
    stops.add(stop);
    if (!stopping) {
      stopping = true;
      ActorRef<Stopped> self = context.getSelf().narrow();
      members.forEach(member -> member.engine().tell(new Stop(self)));
    }
    return Behaviors.same();
  }

  private Behavior<Object> onStopped(Stopped stopped) {
    if (!stopped.clean()) {
      left.add(stopped.census());
    }
    return Behaviors.same();
  }

  private Behavior<Object> onEnded(Terminated signal) {
    ActorRef<?> ended = signal.getRef();
    contexts.ended(ended);
    contexts.engineEnded(ended);
    if (!members.removeIf(member -> member.engine().equals(ended))) {
      return Behaviors.same();
    }
    if (signal instanceof ChildFailed failed) {
      failure = failed.cause();
      EngineLog.of(context::getLog, ended.path().name())
          .warn("engine {} has failed: {}", ended.path().name(), failure.toString());
    }
    if (!members.isEmpty()) {
      return Behaviors.same();
    }
    if (failure != null && !stopping) {
      throw new EngineFailure(context.getSelf().path().name(), failure);
    }
    return Behaviors.stopped();
  }

  private Behavior<Object> onEnd() {
    answers.refuseAll();
    stops.answer(left.isEmpty() ? Stopped.CLEAN : new Stopped(false, String.join("; ", left)));
    return Behaviors.same();
  }
}
