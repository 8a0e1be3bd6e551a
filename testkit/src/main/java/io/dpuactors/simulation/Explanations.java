package io.dpuactors.simulation;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.ClientEvent.Lost;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.Stop;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorRef;

/**
 * Explains the codes of failed answers. Each code that an actor receives has a cause that happened
 * before: a fault, a disturbance, an end, or a limit of the program. World's thread.
 */
final class Explanations implements Trace.Observer {
  private static final String PROTOCOLS = "io.dpuactors.protocol";

  /** The errors of messages of the protocols, by type. */
  private static final ClassValue<Optional<Method>> ERRORS =
      new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
          boolean isProtocol = type.isRecord() && type.getPackageName().equals(PROTOCOLS);
          return Arrays.stream(isProtocol ? type.getRecordComponents() : new RecordComponent[0])
              .filter(one -> one.getGenericType().getTypeName().contains("DocaError"))
              .map(RecordComponent::getAccessor)
              .findFirst();
        }
      };

  private final Consumer<String> fail;
  private final Supplier<Set<String>> fired;
  private final Supplier<Set<String>> named;
  private final Supplier<Set<String>> reached;
  private FailedAnswers batches = FailedAnswers.TASKS;
  private boolean isChecked;

  /** Whether a context was stopped, or a connection has ended, as at a limit of the program. */
  private boolean hasEnded;

  /**
   * Creates explanations that check nothing.
   *
   * @param fail accepts a violation
   * @param fired returns the rows of the faults that have happened
   * @param named returns the errors that these faults name
   * @param reached returns the disturbances and other cases that have happened
   */
  Explanations(
      Consumer<String> fail,
      Supplier<Set<String>> fired,
      Supplier<Set<String>> named,
      Supplier<Set<String>> reached) {
    this.fail = fail;
    this.fired = fired;
    this.named = named;
    this.reached = reached;
  }

  /**
   * Checks the answers from now on. The programs of users are not checked: only they know which of
   * their requests are wrong.
   */
  void begin() {
    isChecked = true;
  }

  /** Sets the group of the answers to batches, which all libraries share. */
  void batchesAreOf(FailedAnswers group) {
    batches = group;
  }

  @Override
  public void handled(ActorRef actor, Object message) {
    if (!isChecked) {
      return;
    }
    hasEnded |= message instanceof Stop || message instanceof Closed || message instanceof Lost;
    ERRORS.get(message.getClass()).ifPresent(error -> check(message, error));
  }

  private void check(Object answer, Method accessor) {
    Object error;
    try {
      error = accessor.invoke(answer);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read the error of " + answer, e);
    }
    if (error instanceof Optional<?> optional) {
      error = optional.orElse(null);
    }
    if (error instanceof DocaError failure) {
      String name = answer.getClass().getName().substring(PROTOCOLS.length() + 1);
      FailedAnswers group = answer instanceof BatchReply ? batches : FailedAnswers.of(name);
      check(group, failure, EnumSet.of(FailureCause.PROGRAM));
    }
  }

  /** Checks the code of a correct request, which no limit of the program fails. */
  void check(FailedAnswers group, DocaError error) {
    if (isChecked) {
      check(group, error, EnumSet.noneOf(FailureCause.class));
    }
  }

  private void check(FailedAnswers group, DocaError error, EnumSet<FailureCause> causes) {
    if (group.explains(error.code(), causes) || named.get().contains(error.code().name())) {
      return;
    }
    Set<String> happened = new TreeSet<>(fired.get());
    reached.get().stream().filter(FailureCause::isKnown).forEach(happened::add);
    happened.forEach(name -> causes.addAll(FailureCause.of(name)));
    if (hasEnded) {
      causes.add(FailureCause.END);
    }
    if (!group.explains(error.code(), causes)) {
      fail.accept("no cause explains %s; causes: %s %s".formatted(error, causes, happened));
    }
  }
}
