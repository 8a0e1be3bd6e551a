package io.dpuactors.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks dependencies between the modules, and between the packages of benchmarks. */
@AnalyzeClasses(packages = "io.dpuactors", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {
  @ArchTest
  static final ArchRule ONLY_EXPERIMENTS_DEPEND_ON_BENCHMARKS =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.dpuactors.benchmarks..", "io.dpuactors.experiments..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.dpuactors.benchmarks..");

  /** The code that measures does not use the code that is measured. */
  @ArchTest
  static final ArchRule MEASUREMENTS_AND_REPORTS_USE_NO_ACTOR =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.dpuactors.benchmarks.measure..",
              "io.dpuactors.benchmarks.report..",
              "io.dpuactors.benchmarks.result..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.dpuactors.engine..", "io.dpuactors.loop..", "org.apache.pekko..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.dpuactors.benchmarks.(*)..").should().beFreeOfCycles();
}
