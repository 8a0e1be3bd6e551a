package io.dpuactors.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Checks the rules of the code base: one direction of dependencies, and one entry to native code.
 */
@AnalyzeClasses(packages = "io.dpuactors", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {
  @ArchTest
  static final ArchRule JNA_IS_NAMED_IN_ONE_PACKAGE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.dpuactors.bridge.jna")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.sun.jna..");

  @ArchTest
  static final ArchRule ACTORS_DO_NOT_TOUCH_THE_BINDINGS =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.dpuactors.bridge..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.dpuactors.bridge.jna..");

  /** The data path has no callback from native code into Java: no callback type exists. */
  @ArchTest
  static final ArchRule NO_NATIVE_CALLBACK_INTO_JAVA =
      noClasses().should().beAssignableTo("com.sun.jna.Callback");

  @ArchTest
  static final ArchRule THE_NATIVE_BRIDGE_DOES_NOT_USE_PEKKO =
      noClasses()
          .that()
          .resideInAPackage("io.dpuactors.bridge..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.pekko..", "io.dpuactors.protocol..", "io.dpuactors.engine..");

  @ArchTest
  static final ArchRule PROTOCOLS_USE_NO_ACTOR_AND_NO_THREAD =
      noClasses()
          .that()
          .resideInAPackage("io.dpuactors.protocol..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.dpuactors.engine..",
              "io.dpuactors.context..",
              "io.dpuactors.node..",
              "io.dpuactors.loop..",
              "java.util.concurrent..");

  @ArchTest
  static final ArchRule THE_LOOP_DEPENDS_ON_NOTHING_ABOVE_IT =
      noClasses()
          .that()
          .resideInAPackage("io.dpuactors.loop..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.dpuactors.node..", "io.dpuactors.context..", "io.dpuactors.engine..");

  @ArchTest
  static final ArchRule NATIVE_HALVES_USE_NO_ACTOR =
      noClasses()
          .that()
          .resideInAPackage("io.dpuactors.node..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.dpuactors.context..", "io.dpuactors.engine..");

  /** Another order of iteration in each process would make a simulated seed irreproducible. */
  @ArchTest
  static final ArchRule COLLECTIONS_OF_OBJECTS_HAVE_AN_ORDER =
      classes()
          .that()
          .resideOutsideOfPackages("io.dpuactors.bridge..", "io.dpuactors.protocol..")
          .should(new KeepTheOrderOfObjects());

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
