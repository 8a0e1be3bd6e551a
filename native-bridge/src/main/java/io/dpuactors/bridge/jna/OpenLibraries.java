package io.dpuactors.bridge.jna;

import com.sun.jna.Function;
import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;

/** A list of open libraries. Closing unloads them in reverse order, unless they are kept. */
final class OpenLibraries implements AutoCloseable {
  private final List<Long> handles = new ArrayList<>();
  private boolean kept;

  /**
   * Opens one more library.
   *
   * @param names possible names; the first that loads is used
   * @throws UnsatisfiedLinkError with the linker's message about the first name, and those about
   *     the others suppressed
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

  /**
   * Returns the absolute path of the library that contains a function of the {@code index}-th one.
   */
  String pathOf(int index, String function) {
    return DynamicLinker.pathOf(address(index, function));
  }

  /**
   * Returns the absolute path of the library that contains a function of the last one.
   *
   * @param name name of the library in an error
   */
  String pathOfLast(String name, String function) {
    long address = DynamicLinker.symbol(handles.get(handles.size() - 1), function);
    if (address == 0) {
      throw new UnsatisfiedLinkError(name + " lacks " + function);
    }
    return DynamicLinker.pathOf(address);
  }

  /** Calls a function of the {@code index}-th library that returns an {@code int}. */
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

  /** Keeps the libraries until the process ends: closing has no effect from now on. */
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
