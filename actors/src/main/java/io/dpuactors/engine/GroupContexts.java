package io.dpuactors.engine;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Part;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.EngineProtocol.BuffersFailed;
import io.dpuactors.protocol.EngineProtocol.BuffersOpened;
import io.dpuactors.protocol.EngineProtocol.BuffersReply;
import io.dpuactors.protocol.EngineProtocol.CloseBuffers;
import io.dpuactors.protocol.EngineProtocol.Command;
import io.dpuactors.protocol.EngineProtocol.OpenBuffers;
import io.dpuactors.protocol.EngineProtocol.OpenTasks;
import io.dpuactors.protocol.EngineProtocol.PoolClosed;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.jspecify.annotations.Nullable;

/** The contexts of an {@link EngineGroup} and their buffers. The group's thread. */
final class GroupContexts {
  /** Time that an answer of an engine may take after its own deadline. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  /** A context on one engine. */
  private record Placed(ActorRef<Command> engine, ActorRef<?> context) {}

  /** Buffers on one engine. */
  private record Opened(Placed on, TaskBuffers buffers) {}

  /** The Open command to one engine. */
  private record OpenMember<C>(
      ActorRef<Command> engine,
      String name,
      TaskLibrary library,
      TaskOptions options,
      CompletableFuture<ActorRef<C>> result)
      implements OpenTasks<C> {
    @Override
    public void opened(ActorRef<C> context) {
      result.complete(context);
    }

    @Override
    public void refuse(DocaError error) {
      result.completeExceptionally(new DocaException(error));
    }
  }

  private final ActorContext<Object> context;
  private final List<EngineGroup.Member> members;
  private final Duration limit;
  private final Set<String> opening = new HashSet<>();
  private final List<OpenMember<?>> pending = new ArrayList<>();
  private final List<Request> unanswered = new ArrayList<>();
  private final Map<ActorRef<?>, List<Placed>> contexts = new HashMap<>();
  private final IdentityHashMap<TaskBuffers, List<Opened>> buffers = new IdentityHashMap<>();

  GroupContexts(ActorContext<Object> context, List<EngineGroup.Member> members) {
    this.context = context;
    this.members = members;
    this.limit =
        context
            .getSystem()
            .settings()
            .config()
            .getDuration("dpu.engine.open-deadline")
            .plus(MARGIN);
  }

  /** Removes a context of the group that has ended. */
  void ended(ActorRef<?> ended) {
    contexts.remove(ended);
  }

  /** Fails Open commands that an ended engine has not answered: it may have failed at its start. */
  void engineEnded(ActorRef<?> ended) {
    pending.stream()
        .filter(one -> one.engine().equals(ended))
        .toList()
        .forEach(
            one ->
                one.refuse(
                    DocaError.of(
                        "open", DocaCode.SHUTDOWN.value(), ended.path().name() + " has ended")));
  }

  /** Refuses all unanswered commands, because the group ends. */
  void refuseAll() {
    unanswered.forEach(one -> refuse(one, DocaCode.SHUTDOWN, "the group has ended"));
    unanswered.clear();
  }

  /** Opens a context on every engine whose device has the kinds. */
  <C> void open(OpenTasks<C> command) {
    if (command.options().kinds().isEmpty()) {
      refuse(command, DocaCode.INVALID_VALUE, "a group needs TaskOptions.withKinds");
    } else if (context.getChild(command.name()).isPresent() || !opening.add(command.name())) {
      refuse(command, DocaCode.ALREADY_EXIST, "a context of this name is open");
    } else {
      List<OpenMember<C>> asked = members.stream().map(one -> openMember(one, command)).toList();
      pending.addAll(asked);
      asked.forEach(one -> one.engine().tell(one));
      after(
          command, asked.stream().map(OpenMember::result).toList(), () -> onOpened(command, asked));
    }
  }

  private static <C> OpenMember<C> openMember(EngineGroup.Member member, OpenTasks<C> command) {
    return new OpenMember<>(
        member.engine(),
        command.name(),
        command.library(),
        member.device().map(command.options()::onDevice).orElse(command.options()),
        new CompletableFuture<>());
  }

  private <C> void onOpened(OpenTasks<C> command, List<OpenMember<C>> asked) {
    opening.remove(command.name());
    pending.removeAll(asked);
    List<Placed> placed = new ArrayList<>();
    List<ActorRef<C>> refs = new ArrayList<>();
    List<DocaError> errors = new ArrayList<>();
    for (OpenMember<C> one : asked) {
      settle(
          one.result(),
          opened -> {
            refs.add(opened);
            placed.add(new Placed(one.engine(), opened));
          },
          errors::add);
    }
    Optional<DocaError> failure = failure(errors, refs.isEmpty());
    if (failure.isPresent()) {
      refs.forEach(one -> one.<Object>unsafeUpcast().tell(new Stop()));
      command.refuse(failure.get());
      return;
    }
    ActorRef<C> opened =
        asked.size() == 1 ? refs.get(0) : context.spawn(GroupContext.create(refs), command.name());
    context.watch(opened);
    contexts.put(opened, placed);
    command.opened(opened);
  }

  /**
   * Returns the error of a request to several engines. An engine that lacks the kinds or has ended
   * is no error while another engine has succeeded.
   */
  private static Optional<DocaError> failure(List<DocaError> errors, boolean allFailed) {
    return errors.stream()
        .filter(
            error ->
                allFailed
                    || (error.code() != DocaCode.NOT_SUPPORTED
                        && error.code() != DocaCode.SHUTDOWN))
        .findFirst();
  }

  /** Opens buffers on each engine of a context. */
  void openBuffers(OpenBuffers command) {
    List<Placed> placed = contexts.get(command.context());
    if (placed == null) {
      String name = command.context().path().name();
      refuse(command, DocaCode.NOT_FOUND, name + " is no running context of this group");
      return;
    }
    Map<Placed, CompletableFuture<BuffersReply>> asked = new HashMap<>();
    for (Placed one : placed.stream().filter(this::isLive).toList()) {
      asked.put(
          one, ask(one.engine(), me -> new OpenBuffers(one.context(), command.options(), me)));
    }
    after(command, asked.values(), () -> onBuffersOpened(command, asked));
  }

  private boolean isLive(Placed one) {
    return members.stream().anyMatch(member -> member.engine().equals(one.engine()));
  }

  private void onBuffersOpened(
      OpenBuffers command, Map<Placed, CompletableFuture<BuffersReply>> asked) {
    List<Opened> opened = new ArrayList<>();
    List<DocaError> errors = new ArrayList<>();
    asked.forEach(
        (on, result) ->
            settle(
                result,
                reply -> {
                  if (reply instanceof BuffersOpened fresh) {
                    opened.add(new Opened(on, fresh.buffers()));
                  } else {
                    errors.add(((BuffersFailed) reply).error());
                  }
                },
                errors::add));
    Optional<DocaError> failure = failure(errors, opened.isEmpty());
    if (failure.isPresent() || opened.isEmpty()) {
      opened.forEach(one -> one.on().engine().tell(new CloseBuffers(one.buffers(), ignore())));
      command.refuse(failure.orElseGet(() -> error(null)));
      return;
    }
    offer(command, opened);
  }

  private void offer(OpenBuffers command, List<Opened> opened) {
    Map<ActorRef<?>, Part> memory = new HashMap<>();
    opened.forEach(one -> memory.put(one.on().context(), one.buffers().parts().get(0)));
    TaskBuffers all = TaskBuffers.of(List.copyOf(memory.values()), command.options().maxWaiting());
    buffers.put(all, opened);
    toGroupContext(command.context(), new GroupContext.Opened(memory));
    ActorRef<Object> self = context.getSelf();
    DeadRequests.watch(command.replyTo());
    ActorRef<PoolClosed> ignore = ignore();
    BufferReply.send(
        command.replyTo(),
        new BuffersOpened(all, new OfferedPool(() -> self.tell(new CloseBuffers(all, ignore)))));
  }

  /** Sends to the actor of a context, which in a group of one engine is the engine's. */
  private void toGroupContext(ActorRef<?> target, Object message) {
    if (context.getChild(target.path().name()).filter(target::equals).isPresent()) {
      target.<Object>unsafeUpcast().tell(message);
    }
  }

  /** Closes buffers on each engine. After a failure, the command may be repeated. */
  void closeBuffers(CloseBuffers command) {
    List<Opened> opened = buffers.get(command.buffers());
    if (opened == null) {
      refuse(command, DocaCode.NOT_FOUND, "these buffers belong to another engine");
      return;
    }
    List<CompletableFuture<PoolClosed>> asked =
        opened.stream()
            .filter(one -> isLive(one.on())) // an engine that has ended has closed its memory
            .map(
                one ->
                    this.<PoolClosed>ask(
                        one.on().engine(), me -> new CloseBuffers(one.buffers(), me)))
            .toList();
    after(command, asked, () -> onClosed(command, asked));
  }

  private void onClosed(CloseBuffers command, List<CompletableFuture<PoolClosed>> asked) {
    List<DocaError> errors = new ArrayList<>();
    asked.forEach(
        one -> settle(one, closed -> closed.failure().ifPresent(errors::add), errors::add));
    if (errors.isEmpty()) {
      buffers.remove(command.buffers());
      contexts
          .keySet()
          .forEach(one -> toGroupContext(one, new GroupContext.Closed(command.buffers().parts())));
    }
    command.replyTo().tell(new PoolClosed(errors.stream().findFirst()));
  }

  private <R> CompletableFuture<R> ask(
      ActorRef<Command> engine, Function<ActorRef<R>, Command> message) {
    return AskPattern.<Command, R>ask(
            engine, message::apply, limit, context.getSystem().scheduler())
        .toCompletableFuture();
  }

  /** Runs an action, which answers a command, on the group's thread after all answers. */
  private void after(
      Request command, Iterable<? extends CompletableFuture<?>> answers, Runnable action) {
    unanswered.add(command);
    List<CompletableFuture<?>> all = new ArrayList<>();
    answers.forEach(all::add);
    context.pipeToSelf(
        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)),
        (done, failure) ->
            new EngineGroup.Step(
                () -> {
                  unanswered.remove(command);
                  action.run();
                }));
  }

  private static <R> void settle(
      CompletableFuture<R> answer, Consumer<R> success, Consumer<DocaError> failure) {
    try {
      success.accept(answer.join());
    } catch (CompletionException e) {
      failure.accept(error(e.getCause()));
    }
  }

  private static DocaError error(@Nullable Throwable cause) {
    return cause instanceof DocaException failure
        ? failure.error()
        : DocaError.of(
            "engine group", DocaCode.SHUTDOWN.value(), "an engine gave no answer: " + cause);
  }

  private static void refuse(Request request, DocaCode code, String why) {
    request.refuse(DocaError.of("engine group", code.value(), why));
  }

  private ActorRef<PoolClosed> ignore() {
    return context.getSystem().ignoreRef();
  }
}
