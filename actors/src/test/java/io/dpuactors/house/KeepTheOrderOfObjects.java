package io.dpuactors.house;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Refuses sets and maps whose order differs per process in classes that have a field of them.
 *
 * <ul>
 *   <li>The hash of an object without {@code hashCode} is its identity: no {@link HashSet} and no
 *       {@link HashMap}.
 *   <li>{@code copyOf} orders by a random salt of the process: no {@code copyOf}. The hash of an
 *       actor reference comes from the seed in a simulation, so its hash maps are reproducible.
 * </ul>
 */
final class KeepTheOrderOfObjects extends ArchCondition<JavaClass> {
  KeepTheOrderOfObjects() {
    super("keep the order of objects in sets and maps");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    boolean hasObjects = keys(type).anyMatch(KeepTheOrderOfObjects::hashIsIdentity);
    boolean hasReferences = keys(type).anyMatch(key -> key.isEquivalentTo(ActorRef.class));
    if (hasObjects) {
      type.getConstructorCallsFromSelf().stream()
          .filter(call -> owner(call, HashSet.class) || owner(call, HashMap.class))
          .forEach(call -> events.add(SimpleConditionEvent.violated(type, call.getDescription())));
    }
    if (hasObjects || hasReferences) {
      type.getMethodCallsFromSelf().stream()
          .filter(call -> call.getName().equals("copyOf"))
          .filter(call -> owner(call, Set.class) || owner(call, Map.class))
          .forEach(call -> events.add(SimpleConditionEvent.violated(type, call.getDescription())));
    }
  }

  /** Returns the types of the elements and keys of a class's fields. */
  private static Stream<JavaClass> keys(JavaClass type) {
    return type.getFields().stream()
        .filter(KeepTheOrderOfObjects::isSetOrMap)
        .map(JavaField::getType)
        .filter(JavaParameterizedType.class::isInstance)
        .map(field -> ((JavaParameterizedType) field).getActualTypeArguments().get(0).toErasure());
  }

  private static boolean isSetOrMap(JavaField field) {
    return field.getRawType().isAssignableTo(Set.class)
        || field.getRawType().isAssignableTo(Map.class);
  }

  private static boolean hashIsIdentity(JavaClass key) {
    return key.getPackageName().startsWith("io.dpuactors")
        && !key.isInterface()
        && key.getAllMethods().stream()
            .filter(method -> method.getName().equals("hashCode"))
            .allMatch(
                method ->
                    method.getOwner().isEquivalentTo(Object.class)
                        || method.getOwner().isEquivalentTo(Enum.class));
  }

  private static boolean owner(JavaCall<?> call, Class<?> type) {
    return call.getTargetOwner().isEquivalentTo(type);
  }
}
