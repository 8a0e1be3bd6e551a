package io.dpuactors.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Checks dependencies: no module depends on benchmarks, and results and reports do not depend on
 * actors or the bridge.
 */
@AnalyzeClasses(packages = "io.dpuactors", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {
  @ArchTest
  static final ArchRule NOBODY_DEPENDS_ON_BENCHMARKS =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.dpuactors.benchmarks..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.dpuactors.benchmarks..");

  @ArchTest
  static final ArchRule RESULTS_AND_REPORTS_KNOW_NO_ACTOR =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.dpuactors.benchmarks.result..", "io.dpuactors.benchmarks.report..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.dpuactors.engine..", "io.dpuactors.bridge..", "org.apache.pekko..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.dpuactors.benchmarks.(*)..").should().beFreeOfCycles();
}
