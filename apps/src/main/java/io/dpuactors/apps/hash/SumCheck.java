package io.dpuactors.apps.hash;

import io.dpuactors.apps.cli.ErrorText;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.HashEvent;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.wire.OneLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Compares digests with lists, with the messages and the status of {@code sha256sum --check}. */
final class SumCheck {
  /** Options of the comparison. */
  static final class Options {
    @Option(
        names = {"-c", "--check"},
        description = "Read lists of digests, up to 16 MiB each, from the FILEs and compare.")
    boolean check;

    @Option(
        names = {"-q", "--quiet"},
        description = "With --check: print no line for a file that is OK.")
    boolean quiet;

    @Option(
        names = "--status",
        description = "With --check: print no line; only the status shows the result.")
    boolean status;

    @Option(names = "--ignore-missing", description = "With --check: skip files that do not exist.")
    boolean ignoreMissing;

    @Option(names = "--strict", description = "With --check: fail for malformed lines.")
    boolean strict;

    @Option(
        names = {"-w", "--warn"},
        description = "With --check: report each malformed line.")
    boolean warn;

    /** Returns the first option that needs --check, or empty. */
    Optional<String> first() {
      Map<String, Boolean> set = new LinkedHashMap<>();
      set.put("--quiet", quiet);
      set.put("--status", status);
      set.put("--ignore-missing", ignoreMissing);
      set.put("--strict", strict);
      set.put("--warn", warn);
      return set.keySet().stream().filter(set::get).findFirst();
    }
  }

  private final Options options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final List<SumList> lists = new ArrayList<>();
  private final List<SumLine> expected = new ArrayList<>();
  private int list;
  private int next;
  private int matched;
  private int mismatched;
  private int unreadable;
  private boolean failed;

  private SumCheck(Options options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.out = out;
    this.err = err;
  }

  /**
   * Reads lists. A list that cannot be read is an error of the comparison.
   *
   * @param names of the lists; - is standard input
   * @param out receives a line for each file
   * @param err receives errors and warnings
   */
  static SumCheck of(
      Options options, List<Path> names, Algorithm algorithm, PrintWriter out, PrintWriter err) {
    SumCheck check = new SumCheck(options, out, err);
    names.forEach(name -> check.read(name, algorithm));
    check.endLists();
    return check;
  }

  private void read(Path name, Algorithm algorithm) {
    try {
      SumList read = SumList.read(name, algorithm, number -> onMalformed(name, algorithm, number));
      lists.add(read);
      expected.addAll(read.lines());
    } catch (IOException e) {
      report(ErrorText.of(e));
      failed = true;
    }
  }

  private void onMalformed(Path name, Algorithm algorithm, long number) {
    if (options.warn) {
      report("%s: %d: improperly formatted %s checksum line".formatted(name, number, algorithm));
    }
  }

  private void report(String what) {
    err.println("dpu: " + OneLine.of(what));
  }

  /** Returns the files to hash, in this order. */
  List<Path> files() {
    return expected.stream().flatMap(each -> each.file().stream()).toList();
  }

  /** Returns whether the result of a file equals the line of the list. */
  boolean isMatch(HashEvent event) {
    return event instanceof HashEvent.Done done
        && done.digest().equals(expected.get(event.index()).digest());
  }

  /** Reports the result of the next file. */
  void onResult(HashEvent event) {
    String name = expected.get(event.index()).name();
    if (event instanceof HashEvent.Failed lost) {
      onFailed(lost.failure(), name);
    } else if (isMatch(event)) {
      matched++;
      print(!options.quiet, name, "OK");
    } else {
      mismatched++;
      print(true, name, "FAILED");
    }
    next++;
    endLists();
  }

  private void onFailed(FileFailure failure, String name) {
    if (failure.kind() == FileFailure.Kind.CANCELLED) {
      return; // the end of the batch reports it
    }
    boolean missing = !Files.exists(Path.of(name));
    if (options.ignoreMissing && missing && failure.kind() == FileFailure.Kind.INPUT) {
      return;
    }
    unreadable++;
    report(failure.toString());
    print(true, name, "FAILED open or read");
  }

  private void print(boolean wanted, String name, String result) {
    if (wanted && !options.status) {
      out.println(SumLine.marked(name) + ": " + result);
    }
  }

  /** Reports the lists whose files all have results. */
  private void endLists() {
    int end = 0;
    for (int i = 0; i < lists.size(); i++) {
      end += lists.get(i).lines().size();
      if (i == list && end <= next) {
        endList(lists.get(i));
        list++;
      }
    }
  }

  private void endList(SumList ended) {
    if (ended.lines().isEmpty()) {
      report(ended.name() + ": no properly formatted checksum lines found");
      failed = true;
      return;
    }
    boolean verified = !options.ignoreMissing || matched > 0;
    if (!options.status) {
      warn(ended.malformed(), "line is improperly formatted", "lines are improperly formatted");
      warn(unreadable, "listed file could not be read", "listed files could not be read");
      warn(mismatched, "computed checksum did NOT match", "computed checksums did NOT match");
      if (!verified) {
        report(ended.name() + ": no file was verified");
      }
    }
    boolean malformed = options.strict && ended.malformed() > 0;
    failed |= mismatched + unreadable > 0 || malformed || !verified;
    matched = 0;
    mismatched = 0;
    unreadable = 0;
  }

  private void warn(int count, String one, String many) {
    if (count > 0) {
      report("WARNING: %d %s".formatted(count, count == 1 ? one : many));
    }
  }

  /** Returns whether a file differs or cannot be read, or a list has no or malformed lines. */
  boolean hasFailed() {
    return failed;
  }
}
