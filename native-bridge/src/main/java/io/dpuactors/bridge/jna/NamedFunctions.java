package io.dpuactors.bridge.jna;

import com.sun.jna.Function;
import com.sun.jna.Pointer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Functions of DOCA libraries that are not mapped directly. Each call finds its function by name,
 * which suffices for the control path: capabilities, creation and end of contexts. The first call
 * of a function searches the library. An argument is a {@code long} (pointers and {@code size_t}),
 * an {@code int}, a text, an array, or a direct {@code ByteBuffer}.
 *
 * <p>Usable once {@link NativeLibraries} has loaded the library. Thread: the engine's of the
 * object; any for functions that take a device's description.
 */
public final class NamedFunctions {
  private static final int NOT_SUPPORTED = 4;
  private static final Map<String, Long> HANDLES = new ConcurrentHashMap<>();
  private static final Map<String, Optional<Function>> FOUND = new ConcurrentHashMap<>();

  private NamedFunctions() {}

  /**
   * Makes the functions of a library callable.
   *
   * @param library prefix of its functions' names, such as {@code doca_sha}
   * @param path absolute path of the library
   */
  static void bind(String library, String path) {
    HANDLES.put(library, DynamicLinker.open(path));
    FOUND.clear();
  }

  /**
   * Calls a function that returns a {@code doca_error_t}.
   *
   * @param library prefix of its functions' names, such as {@code doca_sha}
   * @param function name without the prefix
   * @return the code; NOT_SUPPORTED if the library or the function is missing
   */
  public static int code(String library, String function, Object... arguments) {
    return find(library, function).map(found -> found.invokeInt(arguments)).orElse(NOT_SUPPORTED);
  }

  /**
   * Calls a function that returns a pointer.
   *
   * @param library prefix of its functions' names, such as {@code doca_sha}
   * @param function name without the prefix
   * @throws UnsatisfiedLinkError if the library or the function is missing
   */
  public static long pointer(String library, String function, Object... arguments) {
    return find(library, function)
        .orElseThrow(() -> new UnsatisfiedLinkError("no function " + library + "_" + function))
        .invokeLong(arguments);
  }

  private static Optional<Function> find(String library, String function) {
    return FOUND.computeIfAbsent(
        library + "_" + function, name -> search(HANDLES.get(library), name));
  }

  private static Optional<Function> search(@Nullable Long handle, String name) {
    long address = handle == null ? 0 : DynamicLinker.symbol(handle, name);
    return address == 0
        ? Optional.empty()
        : Optional.of(Function.getFunction(new Pointer(address)));
  }
}
