package io.dpuactors.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a step that throws skips no other step. */
class StepsTest {
  private final List<String> done = new ArrayList<>();

  private Runnable failing(String name) {
    return () -> {
      throw new IllegalStateException(name);
    };
  }

  @Test
  void allStepsRunInOrder() {
    Steps.all(
        cause -> done.add(cause.getMessage() + " failed"),
        () -> done.add("one"),
        failing("two"),
        failing("three"),
        () -> done.add("four"));
    assertThat(done).containsExactly("one", "two failed", "three failed", "four");
  }
}
