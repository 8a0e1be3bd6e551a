package io.dpuactors.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.internal.OpenDma;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests DOCA libraries that the system's linker finds: absent, without a device, or older than the
 * bindings. Each case compiles {@code src/test/c/fake_doca.c} and runs in a separate process.
 */
class InstalledLibrariesTest {
  private static final String COMMON = "libdoca_common.so.2";
  private static final String COMPRESS = "libdoca_compress.so.2";
  private static final String DMA = "libdoca_dma.so.2";
  private static final String COMCH = "libdoca_comch.so.2";
  private static final String RDMA = "libdoca_rdma.so.2";

  @TempDir private Path folder;
  private Path bus;
  private Path installation;

  @BeforeEach
  void layOut() throws IOException {
    bus = Files.createDirectory(folder.resolve("bus"));
    installation = Files.createDirectory(folder.resolve("installation"));
  }

  @Test
  void autoTakesTheSoftwareDpuWithoutAnNvidiaDeviceOnTheBus() throws Exception {
    install();

    ForkedJvm.Result result = list("auto");

    assertThat(result.value("name")).isEqualTo("software DPU");
    assertThat(result.value("reason")).isEqualTo("no network device of NVIDIA's is on the PCI bus");
    assertThat(result.value("listed")).isEqualTo("6");
  }

  @Test
  void autoTakesTheSoftwareDpuWhenNothingIsInstalled() throws Exception {
    PciBusTest.addDevice(bus, "0000:03:00.0", "0x15b3");

    ForkedJvm.Result result = list("auto");

    assertThat(result.value("name")).isEqualTo("software DPU");
    assertThat(result.value("reason"))
        .startsWith("NVIDIA's libraries do not load: libdoca_common.so.2: cannot open");
    assertThat(result.value("listed")).isEqualTo("6");
  }

  @Test
  void autoTakesTheSoftwareDpuWhenTheInstalledLibrariesShowNoDevice() throws Exception {
    PciBusTest.addDevice(bus, "0000:03:00.0", "0x15b3");
    install();

    ForkedJvm.Result result = list("auto");

    assertThat(result.value("name")).isEqualTo("software DPU");
    assertThat(result.value("reason"))
        .isEqualTo(
            "NVIDIA's libraries show no device:"
                + " doca_devinfo_create_list: DOCA_ERROR_NOT_FOUND (16)");
    assertThat(result.value("listed")).isEqualTo("6");
  }

  @Test
  void autoSaysSoWhenLibrariesWithoutADeviceDoNotGo() throws Exception {
    PciBusTest.addDevice(bus, "0000:03:00.0", "0x15b3");
    install("-Wl,-z,nodelete");

    assertThat(list("auto").value("refused"))
        .startsWith("dpu.library = auto: the software DPU cannot be loaded: another ")
        .contains("dpu.library = softdpu");
    assertThat(list("softdpu").value("listed")).isEqualTo("6");
  }

  @Test
  void autoTakesTheInstalledLibrariesWhenTheyShowADevice() throws Exception {
    PciBusTest.addDevice(bus, "0000:03:00.0", "0x15b3");
    install("-DDEVICES=1");

    ForkedJvm.Result result = list("auto");

    assertThat(result.value("name")).isEqualTo("NVIDIA DOCA");
    assertThat(result.value("version")).isEqualTo("2.9.0");
    assertThat(result.value("reason")).isEqualTo("NVIDIA's libraries load and show a device");
    assertThat(result.values("path"))
        .containsExactly(
            installation.resolve(COMMON).toString(), installation.resolve(COMPRESS).toString());
    assertThat(result.values("device")).containsExactly("0000:3a:00.0");
    assertThat(result.errors()).isEmpty();
  }

  /** These libraries lack functions that the list, the capabilities and the representors call. */
  @Test
  void missingFunctionAnswersNotSupported() throws Exception {
    install("-DDEVICES=1");

    ForkedJvm.Result result = list("doca");

    assertThat(Integer.parseInt(result.value("absent"))).isGreaterThan(20);
    assertThat(result.value("compress")).isEqualTo(TaskCapabilities.NONE.toString());
    assertThat(result.values("representor")).isEmpty();
  }

  @Test
  void installationWithoutDmaAndComchWorksAndSaysSo() throws Exception {
    install("-DDEVICES=1");

    ForkedJvm.Result result = list("doca");

    assertThat(result.values("missing"))
        .hasSize(TaskLibrary.values().length + 1)
        .allMatch(missing -> missing.contains(".so.2: cannot open shared object file"))
        .anyMatch(missing -> missing.startsWith("libdoca_dma.so.2"))
        .anyMatch(missing -> missing.startsWith("libdoca_comch.so.2"))
        .anyMatch(missing -> missing.startsWith("libdoca_rdma.so.2"));
    assertThat(result.value("dma")).isEqualTo(TaskCapabilities.NONE.toString());
    assertThat(result.value("comch")).isEqualTo(ComchCapabilities.NONE.toString());
    assertThat(result.value("listed")).isEqualTo("1");
  }

  @Test
  void tasksOfAMissingLibraryAreNotSupported() throws Exception {
    installSoftwareDpu(COMMON, COMPRESS);

    ForkedJvm.Result result = run(OpenDma.class, "doca");

    assertThat(result.value("first"))
        .startsWith("open device: DOCA_ERROR_NOT_SUPPORTED (4): no device offers memory copies")
        .contains("not installed: libdoca_dma.so.2: cannot open shared object file");
    assertThat(result.value("context"))
        .startsWith("doca_dma_create: DOCA_ERROR_NOT_SUPPORTED (4): dma on 0000:03:00.0")
        .contains("not installed: libdoca_dma.so.2: cannot open shared object file");
  }

  @Test
  void installedDmaIsBound() throws Exception {
    installSoftwareDpu(COMMON, COMPRESS, DMA);

    ForkedJvm.Result result = run(OpenDma.class, "doca");

    assertThat(result.value("first")).isEqualTo("0000:03:00.0");
    assertThat(result.value("context")).isEqualTo("dma on 0000:03:00.0");
  }

  @Test
  void dmaThatLacksWhatItNeedsCountsAsMissing() throws Exception {
    install("-DDEVICES=1");
    compile(DMA, "-DCOMPRESS");

    ForkedJvm.Result result = list("doca");

    assertThat(result.values("missing").get(0)).startsWith("libdoca_dma.so lacks doca_dma_");
    assertThat(result.values("path")).hasSize(2);
    assertThat(result.value("listed")).isEqualTo("1");
  }

  @Test
  void installedComchIsBoundWithoutDma() throws Exception {
    installSoftwareDpu(COMMON, COMPRESS, COMCH);

    ForkedJvm.Result result = list("doca");

    assertThat(result.values("missing")).first().asString().startsWith("libdoca_dma.so.2: cannot");
    assertThat(result.values("path")).last().asString().endsWith(COMCH);
    assertThat(result.values("comch")).first().asString().contains("server=true");
  }

  @Test
  void comchThatLacksWhatItNeedsCountsAsMissing() throws Exception {
    install("-DDEVICES=1");
    compile(COMCH, "-DCOMPRESS");

    ForkedJvm.Result result = list("doca");

    assertThat(result.values("missing"))
        .last()
        .asString()
        .startsWith("libdoca_comch.so lacks doca_comch_");
    assertThat(result.value("comch")).isEqualTo(ComchCapabilities.NONE.toString());
  }

  /** This libcrypto lacks every function that hashes need. */
  @Test
  void theSoftwareDpuWorksWithoutHashesWhereLibcryptoIsNotUsable() throws Exception {
    compile("libcrypto.so.3");

    ForkedJvm.Result result = list("softdpu");

    assertThat(result.values("missing"))
        .anyMatch(missing -> missing.contains("libdoca_sha.so: undefined symbol: EVP_"));
    assertThat(result.value("listed")).isEqualTo("6");
  }

  @Test
  void noDeviceIsAnEmptyList() throws Exception {
    install();

    assertThat(list("doca").value("listed")).isEqualTo("0");
  }

  @Test
  void libraryThatLacksWhatNothingWorksWithoutIsRefused() throws Exception {
    install("-DLACKS_SUBMIT");

    assertThat(list("doca").value("refused"))
        .isEqualTo(
            "dpu.library = doca: " + installation.resolve(COMMON) + " lacks doca_task_submit");
  }

  @Test
  void askedForAndNotInstalledIsRefused() throws Exception {
    assertThat(list("doca").value("refused"))
        .startsWith("dpu.library = doca: libdoca_common.so.2: cannot open shared object file");
  }

  @Test
  void installedSoftwareDpuIsNotTakenForHardware() throws Exception {
    installSoftwareDpu(COMMON, COMCH, RDMA);
    for (TaskLibrary library : TaskLibrary.values()) {
      installSoftwareDpu("lib" + library.docaName() + ".so.2");
    }

    ForkedJvm.Result result = list("doca");

    assertThat(result.values("missing")).isEmpty();

    assertThat(result.value("name")).isEqualTo("software DPU");
    assertThat(result.values("path")).allMatch(path -> path.startsWith(installation.toString()));
    assertThat(result.value("listed")).isEqualTo("6");
  }

  private ForkedJvm.Result list(String choice) throws IOException, InterruptedException {
    return run(ListDevices.class, choice, bus.toString());
  }

  private ForkedJvm.Result run(Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    ForkedJvm.Result result =
        ForkedJvm.run(
            folder, Map.of("LD_LIBRARY_PATH", installation.toString()), program, arguments);
    assertThat(result.status()).as(result.errors()).isZero();
    return result;
  }

  private void installSoftwareDpu(String... names) throws IOException {
    DocaLibrary embedded = DocaLibrary.load(LibraryChoice.SOFTDPU);
    for (String name : names) {
      String stem = name.substring(0, name.indexOf('.'));
      String path =
          embedded.paths().stream().filter(p -> p.contains(stem)).findFirst().orElseThrow();
      Files.copy(Path.of(path), installation.resolve(name));
    }
  }

  private void install(String... options) throws IOException, InterruptedException {
    compile(COMMON, options);
    String common = installation.resolve(COMMON).toString();
    compile(COMPRESS, "-DCOMPRESS", "-Wl,--no-as-needed", common);
  }

  private void compile(String name, String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("cc", "-shared", "-fPIC", "-o"));
    command.add(installation.resolve(name).toString());
    command.add("-Wl,-soname," + name);
    command.addAll(List.of(options));
    command.add(Path.of(System.getProperty("basedir", "."), "src/test/c/fake_doca.c").toString());
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }
}
