package com.example.hello;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HelloCompressTest {
  @Test
  void aBufferIsDeflatedAndTheEngineStops() {
    CRC32 crc = new CRC32();
    crc.update("hello, DPU! ".repeat(100).getBytes(UTF_8));
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      HelloCompress.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    List<String> lines = printed.toString(UTF_8).lines().toList();
    assertEquals(2, lines.size());
    assertTrue(lines.get(0).matches("1200 -> \\d\\d bytes: Completed.*"), lines.get(0));
    assertTrue(lines.get(0).contains("crc32=" + (int) crc.getValue()), lines.get(0));
    assertEquals("stopped, census: empty", lines.get(1));
  }
}
