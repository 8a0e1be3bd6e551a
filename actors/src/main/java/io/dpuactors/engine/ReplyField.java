package io.dpuactors.engine;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The component {@code replyTo} of a record: an {@code ActorRef}, or an {@code Optional} of one.
 */
final class ReplyField {
  private static final String NAME = "replyTo";

  private static final ClassValue<Optional<ReplyField>> FIELDS =
      new ClassValue<>() {
        @Override
        protected Optional<ReplyField> computeValue(Class<?> type) {
          return find(type);
        }
      };

  private final Method[] accessors;
  private final Constructor<?> constructor;
  private final int index;

  private ReplyField(Method[] accessors, Constructor<?> constructor, int index) {
    this.accessors = accessors;
    this.constructor = constructor;
    this.index = index;
  }

  /** Returns the field of a message; null if it has none that this class can replace. */
  static @Nullable ReplyField of(Object message) {
    return FIELDS.get(message.getClass()).orElse(null);
  }

  private static Optional<ReplyField> find(Class<?> type) {
    RecordComponent[] components = type.isRecord() ? type.getRecordComponents() : null;
    if (components == null) {
      return Optional.empty();
    }
    for (int i = 0; i < components.length; i++) {
      Class<?> held = components[i].getType();
      if (components[i].getName().equals(NAME)
          && (held == ActorRef.class || held == Optional.class)) {
        return reachable(type, components, i);
      }
    }
    return Optional.empty();
  }

  private static Optional<ReplyField> reachable(
      Class<?> type, RecordComponent[] components, int index) {
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Method[] accessors =
        Stream.of(components).map(RecordComponent::getAccessor).toArray(Method[]::new);
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      boolean isOpen =
          constructor.trySetAccessible()
              && Stream.of(accessors).allMatch(AccessibleObject::trySetAccessible);
      return isOpen ? Optional.of(new ReplyField(accessors, constructor, index)) : Optional.empty();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(type + " has no canonical constructor", e);
    }
  }

  /** Returns the receiver of the answer; null if there is none. */
  @Nullable ActorRef<?> receiver(Object message) {
    Object held = value(accessors[index], message);
    Object receiver = held instanceof Optional<?> optional ? optional.orElse(null) : held;
    return receiver instanceof ActorRef<?> reference ? reference : null;
  }

  /** Returns a copy of the message with another receiver. */
  Object with(Object message, ActorRef<?> receiver) {
    Object[] values = Stream.of(accessors).map(accessor -> value(accessor, message)).toArray();
    values[index] = values[index] instanceof Optional ? Optional.of(receiver) : receiver;
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot copy " + message, e);
    }
  }

  private static Object value(Method accessor, Object message) {
    try {
      return accessor.invoke(message);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + message, e);
    }
  }
}
