package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds, opens and binds the native libraries of this process. libdpubridge comes from the class
 * path; DOCA's libraries come from the class path (the software DPU) or from the system.
 *
 * <p>Two libraries with the soname {@code libdoca_common.so.2} cannot share a process, so each
 * method refuses a second one. Thread: any, one at a time.
 */
public final class NativeLibraries {
  private static final String COMMON = "libdoca_common.so";
  private static final String COMPRESS = "libdoca_compress.so";
  private static final String BRIDGE = "libdpubridge.so";
  private static final String MAJOR = ".2";

  /**
   * An optional library and its required functions.
   *
   * @param functions its bound class; null: {@link NamedFunctions} calls its functions
   */
  private record Extra(String name, @Nullable Class<?> functions, Set<String> required) {
    /** A library called by name. */
    static Extra named(String library) {
      return new Extra(
          "lib" + library + ".so",
          null,
          Set.of(library + "_as_ctx", library + "_create", library + "_destroy"));
    }

    /** Binds the class, or its substitutes if the path is null. Returns the missing functions. */
    List<String> bind(@Nullable String path, String bridge, long standIn) {
      if (functions == null) {
        if (path != null) {
          NamedFunctions.bind(name.substring("lib".length(), name.indexOf('.')), path);
        }
        return List.of();
      }
      if (path == null) {
        Binding.bind(functions, bridge, Set.of(), standIn);
        return List.of();
      }
      return Binding.bind(functions, path, required, standIn);
    }
  }

  private static final Extra COMCH =
      new Extra("libdoca_comch.so", DocaComch.class, DocaComch.REQUIRED);

  private static final List<Extra> EXTRAS =
      List.of(
          new Extra("libdoca_dma.so", DocaDma.class, DocaDma.REQUIRED),
          COMCH,
          Extra.named("doca_sha"));

  /**
   * Bound libraries.
   *
   * @param docaPaths absolute paths of DOCA's libraries, doca_common first
   * @param bridgePath absolute path of libdpubridge
   * @param softwareDpu whether DOCA's libraries are the software DPU
   * @param version of DOCA's libraries
   * @param absent missing functions, which return NOT_SUPPORTED
   * @param missing the linker's messages about missing optional libraries; empty without any
   * @param problem message about an invalid environment variable of the software DPU; empty if all
   *     are valid
   */
  public record Bound(
      List<String> docaPaths,
      String bridgePath,
      boolean softwareDpu,
      String version,
      List<String> absent,
      List<String> missing,
      Optional<String> problem) {}

  private NativeLibraries() {}

  /**
   * Binds the embedded software DPU.
   *
   * @throws UnsatisfiedLinkError if it cannot be loaded, or another DOCA is in this process
   */
  public static Bound bindEmbedded() {
    if (DynamicLinker.isResident(COMMON + MAJOR)) {
      throw new UnsatisfiedLinkError(
          "the software DPU cannot be loaded: another "
              + COMMON
              + MAJOR
              + " is in this process and does not go (dpu.library = softdpu never loads another)");
    }
    String common = extract(COMMON);
    String compress = extract(COMPRESS);
    try (OpenLibraries open = new OpenLibraries()) {
      open.add(common); // the other libraries refer to it by its soname
      open.add(compress);
      List<String> missing =
          new ArrayList<>(); // libraries that need a missing library of the system
      Map<Extra, String> extras = new LinkedHashMap<>();
      for (Extra extra : EXTRAS) {
        add(open, extra, missing, extract(extra.name)).ifPresent(path -> extras.put(extra, path));
      }
      Bound bound = bind(common, compress, extras, missing);
      open.keep();
      return bound;
    }
  }

  /**
   * Binds the DOCA libraries that the system's dynamic linker finds.
   *
   * @throws UnsatisfiedLinkError if they are not installed, do not load, or lack a required
   *     function
   */
  public static Bound bindInstalled() {
    try (OpenLibraries open = openInstalled()) {
      String common = open.pathOf(0, "doca_pe_create");
      String compress = open.pathOf(1, "doca_compress_create");
      List<String> missing = new ArrayList<>();
      Map<Extra, String> extras = new LinkedHashMap<>();
      for (Extra extra : EXTRAS) {
        add(open, extra, missing, extra.name + MAJOR, extra.name)
            .ifPresent(path -> extras.put(extra, path));
      }
      Bound bound = bind(common, compress, extras, missing);
      open.keep();
      return bound;
    }
  }

  /**
   * Opens an optional library, or records why it is not usable.
   *
   * @return its absolute path
   */
  private static Optional<String> add(
      OpenLibraries open, Extra extra, List<String> missing, String... names) {
    try {
      open.add(names);
      String path = "";
      for (String function : extra.required) {
        path = open.pathOfLast(extra.name, function);
      }
      return Optional.of(path);
    } catch (UnsatisfiedLinkError e) {
      missing.add(String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  /**
   * Asks installed DOCA libraries for devices without binding them. Libraries without a device are
   * unloaded again.
   *
   * @return {@code doca_error_t} of {@code doca_devinfo_create_list}: 0 if there is a device
   * @throws UnsatisfiedLinkError if they are not installed or do not load
   */
  public static int probeInstalled() {
    try (OpenLibraries open = openInstalled()) {
      long[] list = new long[1];
      int[] count = new int[1];
      int answer = open.call(0, "doca_devinfo_create_list", list, count);
      if (answer == 0) {
        open.call(0, "doca_devinfo_destroy_list", list[0]);
        open.keep();
      }
      return answer;
    }
  }

  /** The unversioned development link replaces a missing versioned name. */
  private static OpenLibraries openInstalled() {
    OpenLibraries open = new OpenLibraries();
    try {
      open.add(COMMON + MAJOR, COMMON);
      open.add(COMPRESS + MAJOR, COMPRESS);
      return open;
    } catch (UnsatisfiedLinkError e) {
      open.close();
      throw e;
    }
  }

  private static Bound bind(
      String common, String compress, Map<Extra, String> extras, List<String> missing) {
    String bridge = extract(BRIDGE);
    long standIn = DynamicLinker.symbol(DynamicLinker.open(bridge), "dpubridge_absent");
    List<String> absent = new ArrayList<>();
    absent.addAll(Binding.bind(DocaCommon.class, common, DocaCommon.REQUIRED, standIn));
    absent.addAll(Binding.bind(DocaCompress.class, compress, DocaCompress.REQUIRED, standIn));
    List<String> docaPaths = new ArrayList<>(List.of(common, compress));
    for (Extra extra : EXTRAS) {
      String path = extras.get(extra);
      absent.addAll(extra.bind(path, bridge, standIn));
      if (path != null) {
        docaPaths.add(path);
      }
    }
    boolean softwareDpu = SoftDpuLibrary.register(common);
    Optional<String> problem =
        softwareDpu
            ? Optional.ofNullable(SoftDpuLibrary.softdpu_get_problem()) // first, so nothing logs it
            : Optional.empty();
    String comch = extras.get(COMCH);
    if (softwareDpu && comch != null) {
      SoftDpuComch.register(comch);
    }
    DpuBridge.register(bridge);
    for (String path : docaPaths) {
      if (DpuBridge.dpubridge_load(path) != 0) {
        throw new UnsatisfiedLinkError(DpuBridge.dpubridge_error());
      }
    }
    String version =
        softwareDpu ? SoftDpuLibrary.softdpu_version() : DocaCommon.doca_version_runtime();
    return new Bound(
        List.copyOf(docaPaths),
        bridge,
        softwareDpu,
        version,
        List.copyOf(absent),
        List.copyOf(missing),
        problem);
  }

  /**
   * Returns the path of an embedded library: below the folder {@code dpu.native} if a launcher has
   * set this system property, else of a copy from the class path.
   */
  static String extract(String name) {
    String folder = System.getProperty("dpu.native");
    if (folder != null) {
      return Path.of(folder, name).toAbsolutePath().toString();
    }
    String resource = "/" + Platform.RESOURCE_PREFIX + "/" + name;
    try {
      File file = Native.extractFromResourcePath(resource, NativeLibraries.class.getClassLoader());
      return file.getAbsolutePath();
    } catch (IOException e) {
      UnsatisfiedLinkError error =
          new UnsatisfiedLinkError("no " + resource + " on the class path: " + e.getMessage());
      error.initCause(e);
      throw error;
    }
  }
}
