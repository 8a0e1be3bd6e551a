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
import java.util.function.Function;

/**
 * Finds, opens and binds the native libraries of this process. libdpubridge comes from the class
 * path; DOCA's libraries come from the class path (the software DPU) or from the system.
 *
 * <p>Two libraries with the soname {@code libdoca_common.so.2} cannot share a process, so each
 * method refuses a second one. Thread: any, one at a time.
 */
public final class NativeLibraries {
  /** Prefix of the functions of sync events, which doca_common contains. */
  public static final String SYNC_EVENT = "doca_sync_event";

  private static final String COMMON = "libdoca_common.so";
  private static final String COMPRESS = "libdoca_compress.so";
  private static final String BRIDGE = "libdpubridge.so";
  private static final String MAJOR = ".2";

  /**
   * A library of DOCA beside doca_common.
   *
   * @param name such as {@code doca_compress}
   * @param prefix of its functions' names, without the last underscore
   * @param required functions without which it counts as missing
   */
  public record Library(String name, String prefix, Set<String> required) {
    /** Returns a library of contexts, whose functions {@link NamedFunctions} calls. */
    public static Library ofContexts(String name, String prefix) {
      return new Library(
          name, prefix, Set.of(prefix + "_as_ctx", prefix + "_create", prefix + "_destroy"));
    }

    private String file() {
      return "lib" + name + ".so";
    }
  }

  private static final Library COMCH = new Library("doca_comch", "doca_comch", DocaComch.REQUIRED);

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
   * @param libraries of contexts
   * @throws UnsatisfiedLinkError if it cannot be loaded, or another DOCA is in this process
   */
  public static Bound bindEmbedded(List<Library> libraries) {
    if (DynamicLinker.isResident(COMMON + MAJOR)) {
      throw new UnsatisfiedLinkError(
          "the software DPU cannot be loaded: another "
              + COMMON
              + MAJOR
              + " is in this process and does not go (dpu.library = softdpu never loads another)");
    }
    String common = extract(COMMON);
    try (OpenLibraries open = new OpenLibraries()) {
      open.add(common); // the other libraries refer to it by its soname
      return bind(open, common, libraries, library -> List.of(extract(library.file())));
    }
  }

  /**
   * Binds the DOCA libraries that the system's dynamic linker finds.
   *
   * @param libraries of contexts
   * @throws UnsatisfiedLinkError if they are not installed, do not load, or lack a required
   *     function
   */
  public static Bound bindInstalled(List<Library> libraries) {
    try (OpenLibraries open = openInstalled()) {
      String common = open.pathOf(0, "doca_pe_create");
      open.pathOf(1, "doca_compress_create");
      return bind(
          open, common, libraries, library -> List.of(library.file() + MAJOR, library.file()));
    }
  }

  /** Opens and binds all libraries. A library that is not usable is recorded as missing. */
  private static Bound bind(
      OpenLibraries open,
      String common,
      List<Library> libraries,
      Function<Library, List<String>> names) {
    List<String> missing = new ArrayList<>();
    Map<Library, String> found = new LinkedHashMap<>();
    for (Library library : libraries) {
      add(open, library, missing, names).ifPresent(path -> found.put(library, path));
    }
    add(open, COMCH, missing, names).ifPresent(path -> found.put(COMCH, path));
    Bound bound = bind(common, found, missing);
    open.keep();
    return bound;
  }

  /**
   * Opens an optional library, or records why it is not usable.
   *
   * @param names the first name that opens counts
   * @return its absolute path
   */
  private static Optional<String> add(
      OpenLibraries open,
      Library library,
      List<String> missing,
      Function<Library, List<String>> names) {
    try {
      open.add(names.apply(library).toArray(String[]::new));
      String path = "";
      for (String function : library.required) {
        path = open.pathOfLast(library.file(), function);
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

  private static Bound bind(String common, Map<Library, String> found, List<String> missing) {
    String bridge = extract(BRIDGE);
    long standIn = DynamicLinker.symbol(DynamicLinker.open(bridge), "dpubridge_absent");
    List<String> absent = new ArrayList<>();
    absent.addAll(Binding.bind(DocaCommon.class, common, DocaCommon.REQUIRED, standIn));
    String comch = found.get(COMCH);
    if (comch == null) {
      Binding.bind(DocaComch.class, bridge, Set.of(), standIn);
    } else {
      absent.addAll(Binding.bind(DocaComch.class, comch, DocaComch.REQUIRED, standIn));
    }
    List<String> docaPaths = new ArrayList<>(List.of(common));
    NamedFunctions.bind(SYNC_EVENT, common);
    found.forEach(
        (library, path) -> {
          NamedFunctions.bind(library.prefix, path);
          docaPaths.add(path);
        });
    boolean softwareDpu = SoftDpuLibrary.register(common);
    Optional<String> problem =
        softwareDpu
            ? Optional.ofNullable(SoftDpuLibrary.softdpu_get_problem()) // first, so nothing logs it
            : Optional.empty();
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
   * Returns the path of an embedded library. The path is below the folder {@code dpu.native} if a
   * launcher has set this system property, else of a copy from the class path.
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
          new UnsatisfiedLinkError(
              "cannot unpack %s of the class path: %s (jna.tmpdir or dpu.native names a folder)"
                  .formatted(resource, e.getMessage()));
      error.initCause(e);
      throw error;
    }
  }
}
