package com.example.compression;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ParallelCompressionTest {
  @Test
  void allBlocksAreDeflated() {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      ParallelCompression.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    List<String> lines = printed.toString(UTF_8).lines().toList();
    assertEquals(2, lines.size());
    assertTrue(lines.get(0).matches("64 blocks, 4194304 -> \\d{4,5} bytes"), lines.get(0));
    assertEquals("stopped, census: empty", lines.get(1));
  }
}
