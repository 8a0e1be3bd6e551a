package io.dpuactors.apps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Checks that the bar never fills a terminal line completely, so that it never scrolls. */
class ProgressDisplayTest {
  private static final long MIB = 1L << 20;

  @Test
  void theLineShowsWhatFits() {
    assertThat(ProgressDisplay.line("access.log", 81 * MIB, 162 * MIB, 50))
        .isEqualTo("access.log [==========>          ]  50% 81/162 MiB");
    assertThat(ProgressDisplay.line("access.log", 81 * MIB, 162 * MIB, 24))
        .isEqualTo("access.l  50% 81/162 MiB");
    assertThat(ProgressDisplay.line("-", 81 * MIB, -1, 50)).isEqualTo("- 81 MiB");
    assertThat(ProgressDisplay.line("empty", 0, 0, 30)).endsWith(" 100% 0/0 MiB");
  }

  @Test
  void noLineIsWiderThanItsTerminal() {
    for (String name : new String[] {"a", "access.log", "x".repeat(200)}) {
      for (int width = 0; width < 200; width++) {
        for (long done = 0; done <= 1000 * MIB; done += 100 * MIB) {
          assertThat(ProgressDisplay.line(name, done, 1000 * MIB, width))
              .hasSizeLessThanOrEqualTo(width);
          assertThat(ProgressDisplay.line(name, done, -1, width)).hasSizeLessThanOrEqualTo(width);
        }
      }
    }
  }

  @Test
  void wideCharactersCountTwiceAndControlCharactersAreNotSent() {
    assertThat(ProgressDisplay.line("馬馬馬馬", 0, -1, 12)).isEqualTo("馬馬馬 0 MiB");
    assertThat(ProgressDisplay.line("a\nb", 0, -1, 30)).isEqualTo("a?b 0 MiB");
  }

  @Test
  void theLineIsErasedBeforeItIsDrawnAndAtTheEnd() {
    StringWriter out = new StringWriter();
    int[] columns = {40};
    ProgressDisplay display = new ProgressDisplay(new PrintWriter(out), () -> columns[0]);
    display.clear();
    display.show("a", 0, MIB);
    display.clear();
    columns[0] = 4;
    display.show("a", 0, MIB);
    display.clear();
    display.clear();
    assertThat(out)
        .hasToString(
            "\r\u001b[Ka [>                     ]   0% 0/1 MiB\r\u001b[K\r\u001b[K   \r\u001b[K");
  }

  @Test
  void aTextBehindTheBarIsCutToHalfOfTheWidth() {
    StringWriter out = new StringWriter();
    int[] columns = {50};
    ProgressDisplay display =
        new ProgressDisplay(new PrintWriter(out), () -> columns[0], () -> ", nodes 3 4");
    display.show("a", 0, MIB);
    display.clear();
    columns[0] = 13;
    display.show("a", 0, MIB);
    assertThat(out)
        .hasToString(
            "\r\u001b[Ka [>                    ]   0% 0/1 MiB, nodes 3 4"
                + "\r\u001b[K\r\u001b[K   0% , node");
  }
}
