package io.dpuactors.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Reads the modules of the tests' class path. */
public final class Modules {
  private static final List<Path> CLASS_PATH =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .map(Path::of)
          .toList();

  private Modules() {}

  /** Returns the class path with only the named modules, in the form of an option. */
  public static String path(Set<String> modules) {
    List<String> entries =
        CLASS_PATH.stream()
            .filter(entry -> at(entry).filter(m -> modules.contains(nameOf(m))).isPresent())
            .map(Path::toString)
            .toList();
    if (entries.size() != modules.size()) {
      throw new IllegalStateException("of the modules " + modules + " there are " + entries);
    }
    return String.join(File.pathSeparator, entries);
  }

  /** Returns the public top-level types in the packages that a module exports to everyone. */
  public static List<String> exportedTypes(String module) {
    ModuleReference reference =
        CLASS_PATH.stream()
            .flatMap(entry -> at(entry).stream())
            .filter(m -> nameOf(m).equals(module))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no module " + module));
    Set<String> packages =
        Set.copyOf(
            reference.descriptor().exports().stream()
                .filter(Predicate.not(ModuleDescriptor.Exports::isQualified))
                .map(ModuleDescriptor.Exports::source)
                .toList());
    try (ModuleReader reader = reference.open();
        Stream<String> names = reader.list()) {
      return names
          .filter(name -> name.endsWith(".class"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .filter(name -> packages.contains(packageOf(name)) && isPublicTopLevel(name))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String packageOf(String type) {
    return type.substring(0, Math.max(0, type.lastIndexOf('.')));
  }

  private static boolean isPublicTopLevel(String type) {
    try {
      Class<?> loaded = Class.forName(type, false, Modules.class.getClassLoader());
      return loaded.getEnclosingClass() == null && Modifier.isPublic(loaded.getModifiers());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Folders of tests and jars with invalid names are no modules. */
  private static Optional<ModuleReference> at(Path entry) {
    try {
      return ModuleFinder.of(entry).findAll().stream().findFirst();
    } catch (FindException e) {
      return Optional.empty();
    }
  }

  private static String nameOf(ModuleReference reference) {
    return reference.descriptor().name();
  }
}
