package io.dpuactors.streams.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testng.ITestNGListener;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/**
 * Runs the test compatibility kit of Reactive Streams. The kit is a suite of TestNG, which runs
 * inside of a test of JUnit.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class TckTest {
  /** Required tests with two subscribers; a processor of Pekko has one. */
  private static final Set<String> WITH_TWO_SUBSCRIBERS =
      Set.of(
          "required_mustRequestFromUpstreamForElementsThatHaveBeenRequestedLongAgo",
          "required_spec104_mustCallOnErrorOnAllItsSubscribersIfItEncountersANonRecoverableError");

  /** The required test with a publisher that fails before a request. */
  private static final Set<String> WITH_FAILED_PUBLISHER =
      Set.of(
          "required_spec109_mayRejectCallsToSubscribeIfPublisherIsUnableOrUnwillingToServeThem"
              + "RejectionMustTriggerOnErrorAfterOnSubscribe");

  /** Required tests that a kit skips. The other kits skip none. */
  private static final Map<Class<?>, Set<String>> SKIPPED =
      Map.of(
          DmaProcessorTck.class, WITH_TWO_SUBSCRIBERS,
          DeflateProcessorTck.class, WITH_TWO_SUBSCRIBERS,
          AesGcmProcessorTck.class, WITH_TWO_SUBSCRIBERS,
          BlockPublisherTck.class, WITH_FAILED_PUBLISHER);

  @Timeout(300)
  @ParameterizedTest
  @ValueSource(
      classes = {
        DmaProcessorTck.class,
        DeflateProcessorTck.class,
        DeflatePublisherTck.class,
        AesGcmProcessorTck.class,
        ConnectionPublisherTck.class,
        RdmaPublisherTck.class,
        BlockPublisherTck.class,
        BlockSubscriberTck.class,
        ShaSubscriberTck.class
      })
  void theStreamFollowsTheSpecification(Class<?> kit) throws Exception {
    try (TckSystem system = TckSystem.create()) {
      assertThat(TckSystem.current()).isSameAs(system);
      TestListenerAdapter results = new TestListenerAdapter();
      TestNG testng = new TestNG(false);
      testng.setVerbose(0);
      testng.setTestClasses(new Class<?>[] {kit});
      testng.addListener((ITestNGListener) results);
      testng.run();
      assertThat(
              Stream.concat(
                      results.getFailedTests().stream(),
                      results.getConfigurationFailures().stream())
                  .map(result -> result.getName() + ": " + result.getThrowable()))
          .isEmpty();
      Set<String> passed =
          results.getPassedTests().stream().map(ITestResult::getName).collect(Collectors.toSet());
      assertThat(required(kit).filter(name -> !passed.contains(name)))
          .containsExactlyInAnyOrderElementsOf(SKIPPED.getOrDefault(kit, Set.of()));
    }
  }

  /** Returns the names of the tests that the specification requires. */
  private static Stream<String> required(Class<?> kit) {
    return Stream.of(kit.getMethods())
        .map(Method::getName)
        .filter(name -> name.startsWith("required_"))
        .distinct();
  }
}
