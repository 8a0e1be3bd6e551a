package io.dpuactors.engine;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Part;
import io.dpuactors.engine.GroupContexts.Placed;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.MemoryProtocol.BuffersFailed;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.BuffersReply;
import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/** The buffers of the contexts of an {@link EngineGroup}. The group's thread. */
final class GroupBuffers {
  /** Buffers on one engine. */
  private record Opened(Placed on, TaskBuffers buffers) {}

  private final ActorContext<Object> context;
  private final GroupContexts contexts;
  private final GroupAnswers answers;
  private final IdentityHashMap<TaskBuffers, List<Opened>> buffers = new IdentityHashMap<>();

  GroupBuffers(ActorContext<Object> context, GroupContexts contexts, GroupAnswers answers) {
    this.context = context;
    this.contexts = contexts;
    this.answers = answers;
  }

  /** Opens buffers on each engine of a context. */
  void open(OpenBuffers command) {
    List<Placed> placed = contexts.placed(command.context());
    if (placed == null) {
      String name = command.context().path().name();
      GroupAnswers.refuse(
          command, DocaCode.NOT_FOUND, name + " is no running context of this group");
      return;
    }
    Map<Placed, CompletableFuture<BuffersReply>> asked = new LinkedHashMap<>();
    for (Placed one : placed.stream().filter(contexts::isLive).toList()) {
      asked.put(
          one,
          answers.ask(one.engine(), me -> new OpenBuffers(one.context(), command.options(), me)));
    }
    answers.after(command, asked.values(), () -> onOpened(command, asked));
  }

  private void onOpened(OpenBuffers command, Map<Placed, CompletableFuture<BuffersReply>> asked) {
    List<Opened> opened = new ArrayList<>();
    List<DocaError> errors = new ArrayList<>();
    asked.forEach(
        (on, result) ->
            GroupAnswers.settle(
                result,
                reply -> {
                  if (reply instanceof BuffersOpened fresh) {
                    opened.add(new Opened(on, fresh.buffers()));
                  } else {
                    errors.add(((BuffersFailed) reply).error());
                  }
                },
                errors::add));
    Optional<DocaError> failure = GroupAnswers.failure(errors, opened.isEmpty());
    if (failure.isPresent() || opened.isEmpty()) {
      opened.forEach(one -> one.on().engine().tell(new CloseBuffers(one.buffers(), ignore())));
      command.refuse(failure.orElseGet(() -> GroupAnswers.error(null)));
      return;
    }
    offer(command, opened);
  }

  private void offer(OpenBuffers command, List<Opened> opened) {
    Map<ActorRef<?>, Part> memory = new LinkedHashMap<>();
    opened.forEach(one -> memory.put(one.on().context(), one.buffers().parts().get(0)));
    TaskBuffers all = TaskBuffers.of(List.copyOf(memory.values()), command.options().maxWaiting());
    buffers.put(all, opened);
    contexts.sendTo(command.context(), new GroupContext.Opened(memory));
    ActorRef<Object> self = context.getSelf();
    DeadRequests.watch(command.replyTo());
    ActorRef<PoolClosed> ignore = ignore();
    BufferReply.send(
        command.replyTo(),
        new BuffersOpened(all, new OfferedPool(() -> self.tell(new CloseBuffers(all, ignore)))));
  }

  /** Closes buffers on each engine. After a failure, the command may be repeated. */
  void close(CloseBuffers command) {
    List<Opened> opened = buffers.get(command.buffers());
    if (opened == null) {
      GroupAnswers.refuse(command, DocaCode.NOT_FOUND, "these buffers belong to another engine");
      return;
    }
    List<CompletableFuture<PoolClosed>> asked =
        opened.stream()
            .filter(one -> contexts.isLive(one.on())) // an ended engine has closed its memory
            .map(
                one ->
                    answers.<PoolClosed>ask(
                        one.on().engine(), me -> new CloseBuffers(one.buffers(), me)))
            .toList();
    answers.after(command, asked, () -> onClosed(command, asked));
  }

  private void onClosed(CloseBuffers command, List<CompletableFuture<PoolClosed>> asked) {
    List<DocaError> errors = new ArrayList<>();
    asked.forEach(
        one ->
            GroupAnswers.settle(
                one, closed -> closed.failure().ifPresent(errors::add), errors::add));
    if (errors.isEmpty()) {
      buffers.remove(command.buffers());
      contexts.sendToAll(new GroupContext.Closed(command.buffers().parts()));
    }
    command.replyTo().tell(new PoolClosed(errors.stream().findFirst()));
  }

  private ActorRef<PoolClosed> ignore() {
    return context.getSystem().ignoreRef();
  }
}
