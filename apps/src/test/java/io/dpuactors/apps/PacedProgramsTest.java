package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clients that start each trial after a line on standard input. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class PacedProgramsTest extends ChannelPrograms {
  private Program paced(Object... words) throws Exception {
    List<Object> command = new ArrayList<>(List.of("client"));
    command.addAll(List.of(words));
    command.addAll(List.of("--json", "--trials", 5, "--paced"));
    return kept(Program.dpuThatListens(logs, Map.of(), command.toArray()));
  }

  /**
   * An incomplete line starts no trial. The end of the input ends the client, although it expects
   * five trials.
   */
  @ParameterizedTest
  @ValueSource(strings = {"ping", "data", "dma"})
  void oneTrialForEachLine(String service) throws Exception {
    boolean pings = service.equals("ping");
    Object[] small = {"serve", service, "-b", "4K"};
    Program server = serve(pings ? new Object[] {"serve", service} : small);
    Program client = pings ? paced(service, "--count", 500) : paced(service);
    client.tell("\n");
    awaitLine(client, "elapsed_us");
    client.tell("go\n\nno");
    client.endInput();
    assertThat(client.status()).as(client.err()).isZero();
    assertThat(client.err()).isEmpty();
    assertThat(client.out().lines()).hasSize(3).allMatch(line -> line.contains("elapsed_us"));
    stop(server, "TERM", 0);
    assertClients(server, 3);
  }

  @Test
  void aSignalIsHandledDuringAWait() throws Exception {
    Program server = serve("serve", "data", "-b", "4K");
    Program client = paced("data");
    client.tell("\n");
    awaitLine(client, "elapsed_us");
    kill(client, "TERM");
    assertThat(client.status()).isEqualTo(143);
    assertThat(client.err()).contains("interrupted").hasLineCount(1);
    assertThat(client.out()).hasLineCount(1);
    stop(server, "TERM", 0);
  }
}
