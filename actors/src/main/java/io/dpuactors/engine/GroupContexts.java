package io.dpuactors.engine;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.loop.LosslessMailbox;
import io.dpuactors.protocol.EngineProtocol.Command;
import io.dpuactors.protocol.EngineProtocol.OpenTasks;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/** The contexts of an {@link EngineGroup}. The group's thread. */
final class GroupContexts {
  /** A context on one engine. */
  record Placed(ActorRef<Command> engine, ActorRef<?> context) {}

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
  private final GroupAnswers answers;
  private final Set<String> opening = new HashSet<>();
  private final List<OpenMember<?>> pending = new ArrayList<>();
  private final Map<ActorRef<?>, List<Placed>> contexts = new HashMap<>();

  GroupContexts(
      ActorContext<Object> context, List<EngineGroup.Member> members, GroupAnswers answers) {
    this.context = context;
    this.members = members;
    this.answers = answers;
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
                    DocaError.of("open", DocaCode.SHUTDOWN, ended.path().name() + " has ended")));
  }

  /** Opens a context on every engine whose device has the kinds. */
  <C> void open(OpenTasks<C> command) {
    if (command.options().kinds().isEmpty()) {
      GroupAnswers.refuse(command, DocaCode.INVALID_VALUE, "a group needs TaskOptions.withKinds");
    } else if (context.getChild(command.name()).isPresent() || !opening.add(command.name())) {
      GroupAnswers.refuse(command, DocaCode.ALREADY_EXIST, "a context of this name is open");
    } else {
      List<OpenMember<C>> asked = members.stream().map(one -> openMember(one, command)).toList();
      pending.addAll(asked);
      asked.forEach(one -> one.engine().tell(one));
      answers.after(
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
      GroupAnswers.settle(
          one.result(),
          opened -> {
            refs.add(opened);
            placed.add(new Placed(one.engine(), opened));
          },
          errors::add);
    }
    Optional<DocaError> failure = GroupAnswers.failure(errors, refs.isEmpty());
    if (failure.isPresent()) {
      refs.forEach(one -> one.<Object>unsafeUpcast().tell(new Stop()));
      command.refuse(failure.get());
      return;
    }
    ActorRef<C> opened =
        asked.size() == 1
            ? refs.get(0)
            : context.spawn(
                GroupContext.create(refs), command.name(), LosslessMailbox.sameAsParent());
    context.watch(opened);
    contexts.put(opened, placed);
    command.opened(opened);
  }

  /** Returns the parts of a running context; null for any other actor. */
  @Nullable List<Placed> placed(ActorRef<?> running) {
    return contexts.get(running);
  }

  /** Returns whether the engine of a context runs. */
  boolean isLive(Placed one) {
    return members.stream().anyMatch(member -> member.engine().equals(one.engine()));
  }

  /** Sends a message to the actors of all contexts. */
  void sendToAll(Object message) {
    contexts.keySet().forEach(one -> sendTo(one, message));
  }

  /** Sends to the actor of a context, which in a group of one engine is the engine's. */
  void sendTo(ActorRef<?> target, Object message) {
    if (context.getChild(target.path().name()).filter(target::equals).isPresent()) {
      target.<Object>unsafeUpcast().tell(message);
    }
  }
}
