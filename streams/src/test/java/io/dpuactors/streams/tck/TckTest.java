package io.dpuactors.streams.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testng.ITestNGListener;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/**
 * Runs the test compatibility kit of Reactive Streams. The kit is a suite of TestNG, which runs
 * inside of a test of JUnit.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class TckTest {
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
      assertThat(results.getPassedTests()).hasSizeGreaterThan(10);
    }
  }
}
