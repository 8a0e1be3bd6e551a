package io.dpuactors.experiments.run;

import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Shell scripts that replace both sides' programs. Each script logs to one file that it starts,
 * serves or runs a trial. Then the script runs the prepared commands for that trial of its side.
 */
public final class FakePrograms {
  private static final String SCRIPT =
      """
      here=@HERE@
      trials=1 paced= before=
      note() { echo "$side $*" >>"$here/events"; }
      for word in "$@"; do
        case $before in --trials | -n) trials=$word ;; esac
        case $word in
        --paced) paced=1 ;;
        serve)
          note serves
          echo ready
          trap 'note stops; exit 143' TERM
          while read -r line; do :; done
          # stdin ends before the signal comes
          i=0; while [ $i -lt 200 ]; do sleep 0.05; i=$((i + 1)); done
          exit 1 ;;
        esac
        before=$word
      done
      note starts
      echo "hello, I am no JSON"
      i=0
      while [ $i -lt "$trials" ]; do
        [ -z "$paced" ] || read -r line || break
        i=$((i + 1))
        number=$(($(cat "$here/$side.count" 2>/dev/null || echo 0) + 1))
        echo $number >"$here/$side.count"
        note trial $number
        answer='{"elapsed_us":1000,"data_rate_gibps":0.25,"checksum":"abcd","data_error":false}'
        [ ! -e "$here/$side.$number" ] || . "$here/$side.$number"
        echo "$answer"
      done
      [ ! -e "$here/$side.end" ] || . "$here/$side.end"
      """;

  private final Path folder;

  /** Creates the scripts in a folder. */
  public FakePrograms(Path folder) throws IOException {
    this.folder = folder;
    write("dpu", Side.ACTORS);
    for (String name : List.of("compress-blocks-c", "data-c", "dma-c", "rdma-c")) {
      write(name, Side.PLAIN);
    }
  }

  private void write(String name, Side side) throws IOException {
    String script =
        "#!/bin/sh\nside=%s\n%s".formatted(side.key(), SCRIPT.replace("@HERE@", folder.toString()));
    Path file = Files.writeString(folder.resolve(name), script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Returns the command lines of the scripts. */
  public Programs programs() {
    List<String> dpu = List.of(folder.resolve("dpu").toString());
    return new Programs(dpu, folder);
  }

  /** Sets the commands for a side's trial with this number, instead of a valid answer. */
  public void prepare(Side side, int number, String shell) throws IOException {
    Files.writeString(folder.resolve(side.key() + "." + number), shell + "\n");
  }

  /** Sets the commands for a side's client after its last trial. */
  public void prepareEnd(Side side, String shell) throws IOException {
    Files.writeString(folder.resolve(side.key() + ".end"), shell + "\n");
  }

  /** Returns all logged events, in order. */
  List<String> events() throws IOException {
    return Files.readAllLines(folder.resolve("events"));
  }
}
