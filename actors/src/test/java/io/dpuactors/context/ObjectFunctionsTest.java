package io.dpuactors.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.ErasureCodingProtocol.CreateMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition.Cauchy;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition.Change;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition.Custom;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition.Recovery;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition.Vandermonde;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixReply;
import io.dpuactors.protocol.TaskProtocol.CreateObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the table of DOCA's API has the functions that create and destroy keys and matrices.
 * They are called by name, so no compiler checks them.
 */
class ObjectFunctionsTest {
  private static final int NAME = 4;
  private static final int PARAMETERS = 5;

  static Stream<CreateKey> keys() {
    TestInbox<KeyReply> inbox = TestInbox.create();
    return Stream.of(new CreateKey(ByteBuffer.allocateDirect(16), inbox.getRef()));
  }

  static Stream<CreateMatrix> matrices() {
    TestInbox<MatrixReply> inbox = TestInbox.create();
    TaskHandle handle = new TaskHandle(inbox, "matrix", 1, false);
    Matrix coding = new Matrix(handle, TaskKind.EC_CREATE, 4, 2);
    Stream<Definition> definitions =
        Stream.of(
            new Cauchy(4, 2),
            new Vandermonde(4, 2),
            new Custom(new byte[8], 4, 2),
            new Recovery(coding, List.of(1)),
            new Change(coding, List.of(1)));
    return definitions.map(definition -> new CreateMatrix(definition, inbox.getRef()));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void theTableHasTheFunctionsOfAKey(CreateKey command) throws IOException {
    check(TaskLibrary.AES_GCM, command);
  }

  @ParameterizedTest
  @MethodSource("matrices")
  void theTableHasTheFunctionsOfAMatrix(CreateMatrix command) throws IOException {
    check(TaskLibrary.ERASURE_CODING, command);
  }

  /** The first parameter is the context, and the last one is the result. */
  private static void check(TaskLibrary library, CreateObject command) throws IOException {
    String prefix = library.prefix() + "_";
    assertThat(numbersOfParameters())
        .containsEntry(prefix + command.function(), command.arguments().size() + 2)
        .containsEntry(prefix + command.noun() + "_destroy", 1);
  }

  private static Map<String, Integer> numbersOfParameters() throws IOException {
    Path root = Path.of(System.getProperty("dpu.root", ".."));
    Map<String, Integer> numbers = new HashMap<>();
    for (String line : Files.readAllLines(root.resolve("native-bridge/api/functions.tsv"))) {
      String[] cells = line.split("\t", -1);
      numbers.put(cells[NAME], cells[PARAMETERS].split(",").length);
    }
    return numbers;
  }
}
