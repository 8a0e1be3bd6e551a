package io.dpuactors.bridge.jna;

import com.sun.jna.Function;
import com.sun.jna.Pointer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Functions of DOCA libraries that have no mapped class. Each call finds its function by name,
 * which suffices for the control path: capabilities, creation and end of contexts. An argument is a
 * {@code long} (pointers and {@code size_t}), an {@code int}, an array, or a direct {@code
 * ByteBuffer}.
 *
 * <p>Usable once {@link NativeLibraries} has loaded the library. Thread: the engine's of the
 * object; any for functions that take a device's description.
 */
public final class NamedFunctions {
  private static final int NOT_SUPPORTED = 4;
  private static final Map<String, Long> HANDLES = new ConcurrentHashMap<>();

  private NamedFunctions() {}

  /**
   * Makes the functions of a library callable.
   *
   * @param library prefix of its functions' names, such as {@code doca_sha}
   * @param path absolute path of the library
   */
  static void bind(String library, String path) {
    HANDLES.put(library, DynamicLinker.open(path));
  }

  /**
   * Calls a function that returns a {@code doca_error_t}.
   *
   * @param library prefix of its functions' names, such as {@code doca_sha}
   * @param function name without the prefix
   * @return the code; NOT_SUPPORTED if the library or the function is missing
   */
  public static int code(String library, String function, Object... arguments) {
    long address = address(library, function);
    return address == 0
        ? NOT_SUPPORTED
        : Function.getFunction(new Pointer(address)).invokeInt(arguments);
  }

  /**
   * Calls a function that returns a pointer.
   *
   * @param library prefix of its functions' names, such as {@code doca_sha}
   * @param function name without the prefix
   * @throws UnsatisfiedLinkError if the library or the function is missing
   */
  public static long pointer(String library, String function, Object... arguments) {
    long address = address(library, function);
    if (address == 0) {
      throw new UnsatisfiedLinkError("no function " + library + "_" + function);
    }
    return Function.getFunction(new Pointer(address)).invokeLong(arguments);
  }

  private static long address(String library, String function) {
    Long handle = HANDLES.get(library);
    return handle == null ? 0 : DynamicLinker.symbol(handle, library + "_" + function);
  }
}
