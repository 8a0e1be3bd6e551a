package io.dpuactors.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.dpuactors.testing.Modules;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that wildcard imports of this library and of Pekko have no name twice. */
class NamesTest {
  private static final List<String> PEKKO =
      List.of(
          "org.apache.pekko.actor.testkit.typed.javadsl",
          "org.apache.pekko.actor.typed",
          "org.apache.pekko.actor.typed.javadsl",
          "org.apache.pekko.japi",
          "org.apache.pekko.stream",
          "org.apache.pekko.stream.javadsl",
          "org.apache.pekko.util");

  private static final List<String> MODULES =
      List.of(
          "io.dpuactors.bridge",
          "io.dpuactors.protocol",
          "io.dpuactors.core",
          "io.dpuactors.streams");

  /** Returns the simple names of the public top-level types of the modules. */
  private static List<String> types() {
    return MODULES.stream()
        .flatMap(module -> Modules.exportedTypes(module).stream())
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .toList();
  }

  /** Returns the simple names of the public types of the protocols, nested ones included. */
  private static List<String> messages() throws ClassNotFoundException {
    List<String> names = Modules.exportedTypes("io.dpuactors.protocol");
    Stream.Builder<String> all = Stream.builder();
    for (String name : names) {
      Class<?> type = Class.forName(name);
      all.add(type.getSimpleName());
      Stream.of(type.getClasses()).map(Class::getSimpleName).forEach(all);
    }
    return all.build().toList();
  }

  private static Set<String> pekko() {
    return new ClassFileImporter()
        .importPackages(PEKKO).stream()
            .filter(type -> PEKKO.contains(type.getPackageName()))
            .filter(type -> type.isTopLevelClass())
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
  }

  @Test
  void noMessageHasTheNameOfATypeOfPekko() throws ClassNotFoundException {
    Set<String> pekko = pekko();
    assertThat(pekko).contains("Receive", "Behavior", "Framing", "TestProbe", "ByteString");
    assertThat(messages()).doesNotContainAnyElementsOf(pekko);
  }

  @Test
  void noTypeHasTheNameOfATypeOfPekko() {
    assertThat(types()).contains("Engine", "Comch").doesNotContainAnyElementsOf(pekko());
  }

  @Test
  void messagesOfAllContextsAreOneType() throws ClassNotFoundException {
    assertThat(messages().stream().filter(Set.of("Stop", "Stopped", "Busy")::contains))
        .containsExactlyInAnyOrder("Stop", "Stopped", "Busy");
  }
}
