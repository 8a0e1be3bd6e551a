package io.dpuactors.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PciBusTest {

  @Test
  void findsTheVendorAmongOthers(@TempDir Path bus) throws IOException {
    addDevice(bus, "0000:00:1f.0", "0x8086");
    assertThat(PciBus.hasNvidiaDevice(bus)).isFalse();

    addDevice(bus, "0000:03:00.0", "0x15b3");
    assertThat(PciBus.hasNvidiaDevice(bus)).isTrue();
  }

  @Test
  void busThatCannotBeReadHasNone(@TempDir Path bus) throws IOException {
    Files.createDirectory(bus.resolve("0000:03:00.0"));

    assertThat(PciBus.hasNvidiaDevice(bus)).isFalse();
    assertThat(PciBus.hasNvidiaDevice(bus.resolve("absent"))).isFalse();
  }

  static void addDevice(Path bus, String address, String vendor) throws IOException {
    Path device = Files.createDirectory(bus.resolve(address));
    Files.writeString(device.resolve("vendor"), vendor + "\n");
  }
}
