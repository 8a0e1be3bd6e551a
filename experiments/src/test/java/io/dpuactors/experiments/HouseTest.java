package io.dpuactors.experiments;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Experiments may use all modules; no module uses experiments. */
@AnalyzeClasses(packages = "io.dpuactors", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {
  @ArchTest
  static final ArchRule NO_MODULE_DEPENDS_ON_EXPERIMENTS =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.dpuactors.experiments..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.dpuactors.experiments..");

  @ArchTest
  static final ArchRule DATA_DEPENDS_ON_NOTHING_ELSE =
      noClasses()
          .that()
          .resideInAPackage("io.dpuactors.experiments.data..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.dpuactors.apps..", "io.dpuactors.experiments.run..");

  /** The code that measures does not use the code that is measured. */
  @ArchTest
  static final ArchRule RUNS_USE_NO_ACTOR =
      noClasses()
          .that()
          .resideInAnyPackage("io.dpuactors.experiments.run..", "io.dpuactors.experiments.report..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.dpuactors.engine..", "io.dpuactors.bridge..", "org.apache.pekko..");

  @ArchTest
  static final ArchRule THE_BINDINGS_ARE_NOT_TOUCHED =
      noClasses()
          .that()
          .resideInAPackage("io.dpuactors.experiments..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.sun.jna..", "io.dpuactors.bridge.jna..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.dpuactors.experiments.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule EVERY_PACKAGE_IS_NULL_MARKED =
      classes()
          .that()
          .resideInAPackage("io.dpuactors.experiments..")
          .and()
          .haveSimpleName("package-info")
          .should()
          .beAnnotatedWith("org.jspecify.annotations.NullMarked");
}
