package io.dpuactors.apps;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The order of the packages: {@code cli}, then {@code file}, then the other commands. */
@AnalyzeClasses(
    packages = "io.dpuactors.apps",
    importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {
  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.dpuactors.apps.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule COMMANDS_DO_NOT_DEPEND_ON_THE_PROGRAM =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.dpuactors.apps")
          .should()
          .dependOnClassesThat()
          .haveNameMatching("io.dpuactors.apps.Dpu.*");
}
