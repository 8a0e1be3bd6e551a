package io.dpuactors.testkit;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.protocol.TaskProtocol.CreateObject;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.function.Function;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The state behind a {@link TaskHandle}: what a device keeps for a key, a matrix or a session. */
sealed interface TaskObject {
  /** A key of AES-GCM. */
  record Key(SecretKeySpec key) implements TaskObject {}

  /** A matrix of erasure coding. */
  record Matrix(CodingMatrix matrix) implements TaskObject {}

  /** A hash in parts. */
  final class Session implements TaskObject {
    private @Nullable MessageDigest digest;
    private @Nullable Buffer destination;

    /**
     * Accepts the destination of a part, which all parts share.
     *
     * @return the code of a refusal, which changes nothing; null if the device accepts the part
     */
    @Nullable DocaCode accept(boolean isLast, Buffer dst) {
      if (destination == null && isLast) {
        return DocaCode.BAD_STATE;
      }
      if (destination != null && destination != dst) {
        return DocaCode.INVALID_VALUE;
      }
      destination = dst;
      return null;
    }

    /** Returns the hash so far; null before the first part. */
    @Nullable MessageDigest digest() {
      return digest;
    }

    void begin(MessageDigest first) {
      digest = first;
    }
  }

  /**
   * Creates the object of a command from the name and the arguments of its C function.
   *
   * @param objects returns the object of a handle
   * @throws TaskFailure if a device would refuse the arguments
   */
  static TaskObject of(CreateObject command, Function<TaskHandle, TaskObject> objects) {
    if (command.session() != null) {
      return new Session();
    }
    List<Object> arguments = command.arguments();
    return switch (command.function()) {
      case "key_create" -> key((ByteBuffer) arguments.get(0));
      case "matrix_create" -> coding(arguments);
      case "matrix_create_from_raw" ->
          new Matrix(
              CodingMatrix.custom(
                  (byte[]) arguments.get(0), number(arguments.get(1)), number(arguments.get(2))));
      case "matrix_create_recover" ->
          new Matrix(base(arguments, objects).recovery((int[]) arguments.get(1)));
      case "matrix_create_update" ->
          new Matrix(base(arguments, objects).change((int[]) arguments.get(1)));
      default -> throw new TaskFailure(DocaCode.NOT_SUPPORTED);
    };
  }

  private static Key key(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return new Key(new SecretKeySpec(copy, "AES"));
  }

  private static Matrix coding(List<Object> arguments) {
    long data = number(arguments.get(1));
    long redundancy = number(arguments.get(2));
    return new Matrix(
        number(arguments.get(0)) == 1
            ? CodingMatrix.cauchy(data, redundancy)
            : CodingMatrix.vandermonde(data, redundancy));
  }

  private static CodingMatrix base(
      List<Object> arguments, Function<TaskHandle, TaskObject> objects) {
    return ((Matrix) objects.apply((TaskHandle) arguments.get(0))).matrix();
  }

  private static long number(Object argument) {
    return ((Number) argument).longValue();
  }
}
