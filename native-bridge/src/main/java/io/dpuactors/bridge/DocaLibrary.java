package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.NativeLibraries;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DOCA libraries of this process. The first call chooses and loads them for its lifetime.
 * Thread: any.
 *
 * <p>{@link LibraryChoice#AUTO} chooses NVIDIA's libraries if a network device of NVIDIA is on the
 * PCI bus, and the libraries load and show a device. Otherwise this method chooses the embedded
 * software DPU. Without such a device on the bus NVIDIA's libraries are not loaded at all, because
 * a loaded library may not unload.
 */
public final class DocaLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(DocaLibrary.class);
  private static final Path PCI_DEVICES = Path.of("/sys/bus/pci/devices");

  private static @Nullable DocaLibrary loaded;

  private final LibraryChoice source;
  private final NativeLibraries.Bound bound;
  private final String reason;

  private DocaLibrary(LibraryChoice source, NativeLibraries.Bound bound, String reason) {
    this.source = source;
    this.bound = bound;
    this.reason = reason;
  }

  /**
   * Returns the libraries of this process. The first call loads them.
   *
   * @throws IllegalStateException if they cannot be loaded, with the cause, or if other libraries
   *     than {@code choice} were loaded before, naming both
   * @throws InvalidSettingException if they are the software DPU and an environment variable {@code
   *     SOFTDPU_*} was invalid when they were loaded
   */
  public static DocaLibrary load(LibraryChoice choice) {
    return load(choice, PCI_DEVICES);
  }

  static synchronized DocaLibrary load(LibraryChoice choice, Path pciDevices) {
    DocaLibrary library = loaded;
    if (library == null) {
      library = open(choice, pciDevices);
      loaded = library;
      LOG.debug("{}", library);
    } else if (choice != LibraryChoice.AUTO && choice != library.source) {
      throw new IllegalStateException(
          "dpu.library = %s, but this process already uses %s (%s)"
              .formatted(choice, library.source, library.name()));
    }
    if (library.bound.problem().isPresent()) {
      throw new InvalidSettingException(library.bound.problem().get());
    }
    return library;
  }

  private static DocaLibrary open(LibraryChoice choice, Path pciDevices) {
    try {
      return switch (choice) {
        case AUTO -> choose(pciDevices);
        case DOCA -> installed("dpu.library = doca selects the installed DOCA libraries");
        case SOFTDPU -> embedded("dpu.library = softdpu selects it");
      };
    } catch (UnsatisfiedLinkError e) {
      throw new IllegalStateException("dpu.library = " + choice + ": " + e.getMessage(), e);
    }
  }

  private static DocaLibrary choose(Path pciDevices) {
    if (!PciBus.hasNvidiaDevice(pciDevices)) {
      return embedded("no network device of NVIDIA's is on the PCI bus");
    }
    int answer;
    try {
      answer = NativeLibraries.probeInstalled();
    } catch (UnsatisfiedLinkError e) {
      return embedded("NVIDIA's libraries do not load: " + e.getMessage());
    }
    return answer == DocaCode.SUCCESS.value()
        ? installed("NVIDIA's libraries load and show a device")
        : embedded(
            "NVIDIA's libraries show no device: "
                + DocaError.of("doca_devinfo_create_list", answer, ""));
  }

  private static DocaLibrary installed(String reason) {
    return new DocaLibrary(LibraryChoice.DOCA, NativeLibraries.bindInstalled(libraries()), reason);
  }

  private static DocaLibrary embedded(String reason) {
    return new DocaLibrary(
        LibraryChoice.SOFTDPU, NativeLibraries.bindEmbedded(libraries()), reason);
  }

  private static List<NativeLibraries.Library> libraries() {
    Stream<NativeLibraries.Library> tasks =
        Stream.of(TaskLibrary.values())
            .map(each -> NativeLibraries.Library.ofContexts(each.docaName(), each.prefix()));
    return Stream.concat(
            tasks, Stream.of(NativeLibraries.Library.ofContexts("doca_rdma", "doca_rdma")))
        .toList();
  }

  /** Returns whether the device is software. */
  public boolean isSoftwareDpu() {
    return bound.softwareDpu();
  }

  /** {@code software DPU} or {@code NVIDIA DOCA}. */
  public String name() {
    return bound.softwareDpu() ? "software DPU" : "NVIDIA DOCA";
  }

  /** Returns the version that the libraries report. */
  public String version() {
    return bound.version();
  }

  /** Returns the reason for this choice in one sentence. */
  public String reason() {
    return reason;
  }

  /** Returns the absolute paths of DOCA's libraries, doca_common first. */
  public List<String> paths() {
    return bound.docaPaths();
  }

  /**
   * Returns the reasons for missing optional libraries, one sentence each. The functions of a
   * missing library return NOT_SUPPORTED.
   */
  public List<String> missing() {
    return bound.missing();
  }

  /** Returns {@link #missing} as the end of an error text; empty if nothing is missing. */
  public String lacking() {
    return bound.missing().isEmpty()
        ? ""
        : "; not installed: " + String.join(", ", bound.missing());
  }

  /** Returns the absolute path of libdpubridge. */
  String bridgePath() {
    return bound.bridgePath();
  }

  /** Returns the DOCA functions that these libraries lack; the functions return NOT_SUPPORTED. */
  List<String> absentFunctions() {
    return bound.absent();
  }

  /** Returns name, version, reason and files, for a log. */
  @Override
  public String toString() {
    String text = "%s %s (%s) from %s".formatted(name(), version(), reason, paths()) + lacking();
    return bound.absent().isEmpty() ? text : text + " without " + bound.absent();
  }
}
