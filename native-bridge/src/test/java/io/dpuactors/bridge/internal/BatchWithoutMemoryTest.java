package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.ForkedJvm;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the creation of a batch at the JVM's limit of direct memory. */
class BatchWithoutMemoryTest {
  private static final Map<String, String> LIMIT =
      Map.of("JAVA_TOOL_OPTIONS", "-XX:MaxDirectMemorySize=256k");

  @TempDir private Path folder;

  @Test
  void itsBuffersAreNotLent() throws Exception {
    ForkedJvm.Result result = ForkedJvm.run(folder, LIMIT, CreateLargeBatch.class);
    assertThat(result.status()).as(result.errors()).isZero();
    assertThat(result.value("lent")).isEqualTo("false");
  }
}
