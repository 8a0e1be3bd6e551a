package io.dpuactors.file;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.bridge.device.Devices;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.TaskOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The device of a batch. Memory and contexts must belong to one device, so the batch chooses it
 * before it opens them.
 *
 * @param library name of the device's library
 * @param version version of the library
 */
record DeviceChoice(DeviceInfo device, String library, String version) {
  /**
   * Chooses a device that supports all jobs of a batch.
   *
   * @throws FileException when there is no such device, or a job exceeds its limits
   */
  static DeviceChoice of(DocaLibrary library, BatchSettings settings) throws FileException {
    DeviceChoice chosen = of(library, settings.device(), settings.kinds(), settings.parallel());
    for (FileJob each : settings.jobs()) {
      chosen.checkBlocks(each);
    }
    return chosen;
  }

  /**
   * Chooses a device that supports kinds of tasks.
   *
   * @param wanted PCI address; empty: the first device
   * @param parallel tasks in flight of each kind
   * @throws FileException when there is no such device, or it does not support as many tasks
   */
  static DeviceChoice of(
      DocaLibrary library, Optional<String> wanted, Set<TaskKind> kinds, int parallel)
      throws FileException {
    DeviceChoice chosen = choose(library, Devices.list(library), wanted, kinds);
    chosen.checkTasks(parallel, kinds);
    return chosen;
  }

  /**
   * Returns the options of each engine's contexts: one of each library, in the order of {@link
   * TaskLibrary}.
   *
   * @param parallel tasks in flight of each kind
   */
  List<TaskOptions> options(Set<TaskKind> kinds, int parallel) {
    return byLibrary(kinds).values().stream()
        .map(
            some ->
                TaskOptions.defaults()
                    .onDevice(device.pciAddress())
                    .withKinds(some.toArray(TaskKind[]::new))
                    .withWindow(parallel))
        .toList();
  }

  private static SortedMap<TaskLibrary, Set<TaskKind>> byLibrary(Set<TaskKind> kinds) {
    return kinds.stream()
        .collect(Collectors.groupingBy(TaskLibrary::of, TreeMap::new, Collectors.toSet()));
  }

  /** Returns the library of these kinds of tasks, which all belong to one. */
  static TaskLibrary library(Set<TaskKind> kinds) {
    return TaskLibrary.of(kinds.iterator().next());
  }

  /** Returns the chosen device, or the first device that supports all tasks. */
  private static DeviceChoice choose(
      DocaLibrary library, List<DeviceInfo> devices, Optional<String> wanted, Set<TaskKind> kinds)
      throws FileException {
    String name = library.name();
    if (devices.isEmpty()) {
      throw unavailable("no device: %s lists none (%s)".formatted(name, library.reason()));
    }
    if (wanted.isPresent()) {
      DeviceInfo device = find(name, devices, wanted.get());
      Optional<TaskKind> missing = firstMissing(device, kinds);
      if (missing.isPresent()) {
        throw unavailable(
            "device %s (%s) cannot %s%s"
                .formatted(
                    device.pciAddress(), name, missing.get().purpose(), lacking(library, kinds)));
      }
      return new DeviceChoice(device, name, library.version());
    }
    return devices.stream()
        .filter(d -> firstMissing(d, kinds).isEmpty())
        .findFirst()
        .map(d -> new DeviceChoice(d, name, library.version()))
        .orElseThrow(
            () ->
                unavailable(
                    "no device can %s: %s has %s%s"
                        .formatted(
                            kinds.stream()
                                .sorted()
                                .map(TaskKind::purpose)
                                .collect(Collectors.joining(" and ")),
                            name,
                            addresses(devices),
                            lacking(library, kinds))));
  }

  /** Returns what a library lacks, as the end of an error text. */
  private static String lacking(DocaLibrary library, Set<TaskKind> kinds) {
    boolean mayNeedIsal = library.isSoftwareDpu() && library(kinds) == TaskLibrary.ERASURE_CODING;
    return library.lacking()
        + (mayNeedIsal
            ? "; erasure coding needs ISA-L (Debian package libisal2) and a profile with it"
            : "");
  }

  private static DeviceInfo find(String library, List<DeviceInfo> devices, String wanted)
      throws FileException {
    for (DeviceInfo device : devices) {
      if (device.hasAddress(wanted)) {
        return device;
      }
    }
    throw unavailable("no device %s: %s has %s".formatted(wanted, library, addresses(devices)));
  }

  private static Optional<TaskKind> firstMissing(DeviceInfo device, Set<TaskKind> kinds) {
    return kinds.stream().sorted().filter(k -> !limits(device, k).supported()).findFirst();
  }

  private static TaskLimits limits(DeviceInfo device, TaskKind kind) {
    return device.capabilities(TaskLibrary.of(kind)).of(kind);
  }

  /** Refuses more tasks in flight than the device supports. */
  private void checkTasks(int parallel, Set<TaskKind> kinds) throws FileException {
    for (Map.Entry<TaskLibrary, Set<TaskKind>> each : byLibrary(kinds).entrySet()) {
      int limit = device.capabilities(each.getKey()).maxTasks();
      int tasks = each.getValue().size();
      if ((long) parallel * tasks > limit) {
        String many = tasks == 1 ? "" : " (up to %d tasks per block)".formatted(tasks);
        throw beyond(
            "%d blocks in flight%s are beyond the device's limit of %d tasks"
                .formatted(parallel, many, limit));
      }
    }
  }

  /** Refuses blocks of a job that exceed the device's largest buffer. */
  private void checkBlocks(FileJob job) throws FileException {
    if (job instanceof FileJob.Compress compress) {
      checkCompression(compress.blockBytes());
      if (compress.encryption().isPresent()) {
        int block = (int) compress.blockBytes();
        int buffer = PoolShape.memberBytes(block) + BlockCipher.EXTRA_BYTES;
        checkBuffer(block, buffer, TaskKind.AES_GCM_ENCRYPT);
      }
    } else if (job instanceof FileJob.Copy copy) {
      checkBlock(copy.blockBytes(), TaskKind.DMA_MEMCPY);
    } else if (job instanceof FileJob.Encode encode) {
      checkBlock(encode.stripes().blockBytes(), TaskKind.EC_CREATE);
    } else if (job instanceof FileJob.Encrypt encrypt) {
      int buffer = encrypt.blockBytes() + BlockCipher.EXTRA_BYTES;
      checkBuffer(encrypt.blockBytes(), buffer, TaskKind.AES_GCM_ENCRYPT);
    }
  }

  /** Refuses blocks that exceed the device's largest buffer for a kind of tasks. */
  void checkBlock(long blockBytes, TaskKind kind) throws FileException {
    checkBuffer(blockBytes, blockBytes, kind);
  }

  private void checkBuffer(long blockBytes, long bufferBytes, TaskKind kind) throws FileException {
    long limit = bufferLimit(limits(device, kind));
    if (bufferBytes > limit) {
      throw beyond(
          "a block size of %d bytes is beyond the device's limit of %d bytes per buffer"
              .formatted(blockBytes, limit));
    }
  }

  /** Refuses blocks that exceed the device's largest buffer if they are incompressible. */
  private void checkCompression(long blockBytes) throws FileException {
    long limit = bufferLimit(limits(device, TaskKind.COMPRESS_DEFLATE));
    int largest = GzipMember.maxContentBytes(limit);
    if (blockBytes > largest) {
      throw beyond(
          "a block size of %d bytes is beyond the device's limit of %d bytes per buffer: incompressible blocks grow, so the largest block size is %d bytes"
              .formatted(blockBytes, limit, largest));
    }
  }

  /**
   * Returns the largest buffer of the device, at most what a {@link java.nio.ByteBuffer} can
   * address.
   */
  static long bufferLimit(TaskLimits limits) {
    return Math.min(limits.maxBufferBytes(), Integer.MAX_VALUE);
  }

  private FileException beyond(String what) {
    return new FileException(
        FileFailure.of(
            Kind.LIMIT, null, "%s (%s, %s)".formatted(what, device.pciAddress(), library)));
  }

  private static FileException unavailable(String message) {
    return new FileException(FileFailure.of(Kind.DEVICE, null, message));
  }

  private static String addresses(List<DeviceInfo> devices) {
    return devices.stream().map(DeviceInfo::pciAddress).collect(Collectors.joining(", "));
  }
}
