package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.TaskLibrary;
import org.junit.jupiter.api.Test;

/** Tests the table of the models. */
class TaskModelTest {
  @Test
  void eachModelIsThatOfItsLibraryAndHasAScenario() {
    assertThat(TaskModel.libraries()).isNotEmpty().isSorted();
    for (TaskLibrary library : TaskModel.libraries()) {
      assertThat(TaskModel.of(library).library()).isEqualTo(library);
      assertThat(Scenarios.ALL).containsKey(library.shortName());
    }
  }
}
