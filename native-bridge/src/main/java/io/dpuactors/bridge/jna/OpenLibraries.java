package io.dpuactors.bridge.jna;

import com.sun.jna.Function;
import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;

/**
 * Libraries that are open for the moment: closing unloads them, last first, unless they are kept.
 */
final class OpenLibraries implements AutoCloseable {
  private final List<Long> handles = new ArrayList<>();
  private boolean kept;

  /**
   * Opens one more library.
   *
   * @param names what it may be called; the first that loads is taken
   * @throws UnsatisfiedLinkError what the linker says about the first name, the others suppressed
   */
  void add(String... names) {
    UnsatisfiedLinkError failure = null;
    for (String name : names) {
      try {
        handles.add(DynamicLinker.open(name));
        return;
      } catch (UnsatisfiedLinkError e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    throw failure != null ? failure : new UnsatisfiedLinkError("no name to open");
  }

  /** Absolute path of the library that a function of the {@code index}-th one belongs to. */
  String pathOf(int index, String function) {
    return DynamicLinker.pathOf(address(index, function));
  }

  /**
   * Absolute path of the library that a function of the last one belongs to.
   *
   * @param name what an error calls it
   */
  String pathOfLast(String name, String function) {
    long address = DynamicLinker.symbol(handles.get(handles.size() - 1), function);
    if (address == 0) {
      throw new UnsatisfiedLinkError(name + " lacks " + function);
    }
    return DynamicLinker.pathOf(address);
  }

  /** Calls a function of the {@code index}-th library that answers an {@code int}. */
  int call(int index, String function, Object... arguments) {
    return Function.getFunction(new Pointer(address(index, function))).invokeInt(arguments);
  }

  private long address(int index, String function) {
    long address = DynamicLinker.symbol(handles.get(index), function);
    if (address == 0) {
      throw new UnsatisfiedLinkError("the installed DOCA libraries lack " + function);
    }
    return address;
  }

  /** From now on closing changes nothing: the libraries stay until the process ends. */
  void keep() {
    kept = true;
  }

  @Override
  public void close() {
    for (int i = handles.size() - 1; i >= 0 && !kept; i--) {
      DynamicLinker.close(handles.get(i));
    }
    handles.clear();
  }
}
