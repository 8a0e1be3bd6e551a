package io.dpuactors.bridge;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** Checks the dependencies of this module and the types in its public API. */
@AnalyzeClasses(
    packages = "io.dpuactors.bridge",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String JNA = "com.sun.jna..";
  private static final String BINDINGS = "io.dpuactors.bridge.jna..";

  @ArchTest
  static final ArchRule jnaIsNamedInTheBindingsOnly =
      noClasses()
          .that()
          .resideOutsideOfPackage(BINDINGS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(JNA);

  @ArchTest
  static final ArchRule noTypeOfJnaLeavesTheBindings =
      methods()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .resideInAPackage(BINDINGS)
          .should()
          .notHaveRawReturnType(JavaClass.Predicates.resideInAPackage(JNA))
          .andShould()
          .notHaveRawParameterTypes(anyOfJna());

  @ArchTest
  static final ArchRule nativeCodeNeverCallsJava =
      noClasses().should().dependOnClassesThat().haveFullyQualifiedName("com.sun.jna.Callback");

  @ArchTest
  static final ArchRule actorsAreUnknown =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.pekko..", "io.dpuactors.engine..", "io.dpuactors.protocol..");

  @ArchTest
  static final ArchRule programsSeeNoInternals =
      noClasses()
          .that()
          .resideInAPackage("io.dpuactors.bridge")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.dpuactors.bridge.internal..", "io.dpuactors.bridge.device..");

  @ArchTest
  static final ArchRule packagesHaveOneDirection =
      slices().matching("io.dpuactors.(**)").should().beFreeOfCycles();

  private static DescribedPredicate<List<JavaClass>> anyOfJna() {
    return DescribedPredicate.describe(
        "any of JNA", types -> types.stream().anyMatch(JavaClass.Predicates.resideInAPackage(JNA)));
  }
}
