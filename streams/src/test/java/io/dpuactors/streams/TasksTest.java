package io.dpuactors.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.junit.jupiter.api.Test;

class TasksTest {
  @Test
  void anExceptionWhileTasksOpenDestroysTheObject() throws Exception {
    List<String> destroyed = new ArrayList<>();
    ArithmeticException failure = new ArithmeticException("integer overflow");
    CompletionStage<Tasks<String, String>> tasks =
        Tasks.using(
            CompletableFuture.completedStage("key"),
            key -> {
              throw failure;
            },
            key -> {
              destroyed.add(key);
              return CompletableFuture.completedStage(Done.getInstance());
            });
    assertThat(StreamRig.failure(tasks)).hasRootCause(failure);
    assertThat(destroyed).containsExactly("key");
  }
}
