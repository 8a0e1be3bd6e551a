package io.dpuactors.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks that the streams use the actors as any other program does. */
@AnalyzeClasses(
    packages = "io.dpuactors.streams",
    importOptions = ImportOption.DoNotIncludeTests.class)
class StreamsTest {
  @ArchTest
  static final ArchRule STREAMS_DO_NOT_TOUCH_THE_INTERNALS =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "com.sun.jna..",
              "io.dpuactors.bridge.jna..",
              "io.dpuactors.bridge.internal..",
              "io.dpuactors.protocol.wire..",
              "io.dpuactors.loop..",
              "io.dpuactors.node..",
              "io.dpuactors.context..",
              "io.dpuactors.comch..");

  @ArchTest
  static final ArchRule EVERY_PACKAGE_IS_NULL_MARKED =
      classes()
          .that()
          .haveSimpleName("package-info")
          .should()
          .beAnnotatedWith("org.jspecify.annotations.NullMarked");
}
