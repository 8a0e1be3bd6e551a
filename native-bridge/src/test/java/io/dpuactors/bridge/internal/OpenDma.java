package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.TaskLibrary;

/** Prints whether the process can open DMA contexts; tests run it in a separate process. */
public final class OpenDma {
  private interface Attempt {
    Object make();
  }

  private OpenDma() {}

  /** Takes one argument: the library choice. */
  public static void main(String[] arguments) {
    DocaLibrary library = DocaLibrary.load(LibraryChoice.parse(arguments[0]));
    try (ProgressEngine engine = ProgressEngine.create(library, 4, 8)) {
      print(
          "first",
          () -> {
            try (Device device =
                Device.openFirst(
                    engine, d -> d.capabilities(TaskLibrary.DMA).any(), "memory copies")) {
              return device;
            }
          });
      try (Device device = Device.open(engine, "03:00.0")) {
        print(
            "context",
            () -> {
              DocaContext context = TaskFunctions.of(TaskLibrary.DMA).create(engine, device, 0);
              context.destroy();
              return context;
            });
      }
    }
  }

  private static void print(String key, Attempt attempt) {
    Object result;
    try {
      result = attempt.make();
    } catch (DocaException e) {
      result = e.error();
    }
    System.out.println(key + "=" + result);
  }
}
