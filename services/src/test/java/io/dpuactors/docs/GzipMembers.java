package io.dpuactors.docs;

import io.dpuactors.gzip.GzipLimits;
import io.dpuactors.gzip.GzipSummary;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Finds the members of a file without inflating. */
final class GzipMembers {
  private GzipMembers() {}

  static void print(Path path) throws IOException {
    // tag::members[]
    try (FileChannel file = FileChannel.open(path)) {
      GzipSummary summary = GzipSummary.scan(file, GzipLimits.of(128 << 20, "our limit"));
      System.out.println(summary.members() + " members of at most " + summary.maxContentBytes());
    }
    // end::members[]
  }
}
