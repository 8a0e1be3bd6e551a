package io.dpuactors.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks that the services use the actors as any other program does. */
@AnalyzeClasses(
    packages = {
      "io.dpuactors.file",
      "io.dpuactors.service",
      "io.dpuactors.gzip",
      "io.dpuactors.encrypted",
      "io.dpuactors.erasure",
      "io.dpuactors.wire"
    },
    importOptions = ImportOption.DoNotIncludeTests.class)
class ServicesTest {
  @ArchTest
  static final ArchRule SERVICES_DO_NOT_TOUCH_THE_INTERNALS =
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
  static final ArchRule FORMATS_USE_NO_ACTOR_AND_NO_THREAD =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.dpuactors.encrypted..",
              "io.dpuactors.erasure..",
              "io.dpuactors.gzip..",
              "io.dpuactors.wire..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.pekko..",
              "io.dpuactors.bridge..",
              "io.dpuactors.protocol..",
              "java.util.concurrent..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.dpuactors.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule EVERY_PACKAGE_IS_NULL_MARKED =
      classes()
          .that()
          .haveSimpleName("package-info")
          .should()
          .beAnnotatedWith("org.jspecify.annotations.NullMarked");
}
