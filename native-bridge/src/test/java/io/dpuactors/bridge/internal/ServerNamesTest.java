package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.ForkedJvm;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests names of servers in a process whose locale has ASCII letters only. */
class ServerNamesTest {
  @TempDir private Path folder;

  @Test
  void differentNamesStayDifferent() throws Exception {
    ForkedJvm.Result result = ForkedJvm.run(folder, Map.of("LC_ALL", "C"), StartTwoServers.class);
    assertThat(result.status()).as(result.errors()).isZero();
    assertThat(result.value("first")).isEqualTo("SUCCESS");
    assertThat(result.value("second")).isEqualTo("SUCCESS");
  }
}
