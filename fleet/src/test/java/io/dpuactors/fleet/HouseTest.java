package io.dpuactors.fleet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks that the fleet uses the actors as any other program does. */
@AnalyzeClasses(packages = "io.dpuactors", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {
  @ArchTest
  static final ArchRule THE_FLEET_DOES_NOT_TOUCH_THE_INTERNALS =
      noClasses()
          .that()
          .resideInAPackage("io.dpuactors.fleet..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "com.sun.jna..",
              "io.dpuactors.bridge.jna..",
              "io.dpuactors.bridge.internal..",
              "io.dpuactors.loop..",
              "io.dpuactors.node..",
              "io.dpuactors.context..",
              "io.dpuactors.comch..");

  @ArchTest
  static final ArchRule NO_MODULE_BELOW_DEPENDS_ON_THE_FLEET_OR_THE_CLUSTER =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.dpuactors.fleet..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.dpuactors.fleet..", "org.apache.pekko.cluster..");

  @ArchTest
  static final ArchRule EVERY_PACKAGE_IS_NULL_MARKED =
      classes()
          .that()
          .haveSimpleName("package-info")
          .should()
          .beAnnotatedWith("org.jspecify.annotations.NullMarked");
}
