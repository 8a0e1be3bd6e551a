package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.LocalMessageSerializer;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.junit.jupiter.api.Test;

/** Tests that each message and each answer of the protocols stays in its process. */
class MessageTypesTest {
  private static final String PACKAGE = "io.dpuactors.protocol";

  /** Parts of messages, beside the types whose name ends with Options. */
  private static final Set<String> PARTS =
      Set.of(
          "AesGcmProtocol$Key",
          "AesGcmProtocol$Parameters",
          "ErasureCodingProtocol$CreateMatrix$Call",
          "ErasureCodingProtocol$Definition$Cauchy",
          "ErasureCodingProtocol$Definition$Change",
          "ErasureCodingProtocol$Definition$Custom",
          "ErasureCodingProtocol$Definition$Recovery",
          "ErasureCodingProtocol$Definition$Vandermonde",
          "ErasureCodingProtocol$Matrix",
          "MessageFraming",
          "RdmaEventProtocol$RemoteEvent",
          "ShaProtocol$Algorithm",
          "ShaProtocol$Session",
          "SyncEventOptions$Side",
          "TaskReply$Ownership");

  private static List<Class<?>> types() {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages(PACKAGE).stream()
            .filter(type -> type.getPackageName().equals(PACKAGE))
            .<Class<?>>map(JavaClass::reflect)
            .filter(type -> type.isRecord() || type.isEnum())
            .toList();
  }

  private static String nameOf(Class<?> type) {
    return type.getName().substring(PACKAGE.length() + 1);
  }

  @Test
  void eachTypeIsALocalMessageOrAKnownPart() {
    assertThat(types())
        .filteredOn(type -> !LocalMessage.class.isAssignableFrom(type))
        .extracting(MessageTypesTest::nameOf)
        .filteredOn(name -> !name.endsWith("Options"))
        .containsExactlyInAnyOrderElementsOf(PARTS);
  }

  /** Types of answers that are in another module have the serializer of local messages too. */
  @Test
  void eachAnswerHasTheSerializerOfLocalMessages() {
    ActorTestKit kit = ActorTestKit.create();
    try {
      Serialization serializers = SerializationExtension.get(Adapter.toClassic(kit.system()));
      assertThat(types().stream().flatMap(MessageTypesTest::answers).distinct())
          .hasSizeGreaterThan(20)
          .allSatisfy(
              answer ->
                  assertThat(serializers.serializerFor(answer))
                      .isInstanceOf(LocalMessageSerializer.class));
    } finally {
      kit.shutdownTestKit();
    }
  }

  /** Returns the types of the answers to a request: of its references of actors. */
  private static Stream<Class<?>> answers(Class<?> type) {
    return type.isRecord()
        ? Arrays.stream(type.getRecordComponents())
            .filter(component -> component.getName().equals("replyTo"))
            .map(RecordComponent::getGenericType)
            .map(MessageTypesTest::answer)
        : Stream.empty();
  }

  private static Class<?> answer(Type receiver) {
    ParameterizedType type = (ParameterizedType) receiver;
    Type inner = type.getActualTypeArguments()[0];
    if (!type.getRawType().equals(ActorRef.class)) {
      return answer(inner); // an optional receiver
    }
    return (Class<?>) (inner instanceof ParameterizedType generic ? generic.getRawType() : inner);
  }
}
