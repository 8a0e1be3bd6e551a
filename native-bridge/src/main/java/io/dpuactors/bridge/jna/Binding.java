package io.dpuactors.bridge.jna;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.SymbolProvider;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Binds a class of native methods to a library that may be older or newer than the class. */
final class Binding {
  private Binding() {}

  /**
   * Binds every native method. Texts are UTF-8, independent of the locale.
   *
   * @param path absolute path of the library
   * @param required functions that must exist
   * @param standIn address of a function that replaces each other missing function
   * @return the missing functions, sorted
   * @throws UnsatisfiedLinkError naming all missing required functions; nothing is bound
   */
  static List<String> bind(Class<?> functions, String path, Set<String> required, long standIn) {
    Set<String> absent = new TreeSet<>();
    SymbolProvider tolerant =
        (handle, name, parent) -> {
          try {
            return parent.getSymbolAddress(handle, name, parent);
          } catch (UnsatisfiedLinkError missing) {
            absent.add(name);
            return standIn;
          }
        };
    NativeLibrary library =
        NativeLibrary.getInstance(
            path,
            Map.of(
                Library.OPTION_OPEN_FLAGS,
                DynamicLinker.RTLD_NOW,
                // Peers compare the names of servers, and may have another locale.
                Library.OPTION_STRING_ENCODING,
                "UTF-8",
                Library.OPTION_SYMBOL_PROVIDER,
                tolerant));
    for (String name : required) {
      library.getFunction(name);
    }
    if (!absent.isEmpty()) {
      library.close();
      throw new UnsatisfiedLinkError(path + " lacks " + String.join(", ", absent));
    }
    Native.register(functions, library);
    return List.copyOf(absent);
  }
}
