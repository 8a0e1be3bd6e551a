package io.dpuactors.rdma;

import io.dpuactors.testing.PeerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests two processes that reach each other by TCP only, as processes of two hosts do. */
class RdmaHostsTest {
  private static final int PORT = 4796;
  private static final int KEY_BYTES = 32;

  @TempDir Path folder;

  @Test
  void aClientOfAnotherHostChangesAnEvent() throws IOException {
    Path key = Files.write(folder.resolve("key"), new byte[KEY_BYTES]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    String port = Integer.toString(PORT);
    try (PeerProcess owner =
        PeerProcess.start(ListenerPeer.class, host("owner", key), "event", port)) {
      owner.awaitReady();
      try (PeerProcess requester =
          PeerProcess.start(EventRequester.class, host("requester", key), port)) {
        requester.awaitReady();
      }
    }
  }

  /** Returns the environment of a host. The processes of different hosts share no folder. */
  private Map<String, String> host(String name, Path key) throws IOException {
    Path rendezvous = folder.resolve(name);
    Files.createDirectory(
        rendezvous,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return Map.of("SOFTDPU_DIR", rendezvous.toString(), "SOFTDPU_RDMA_KEY", key.toString());
  }
}
