package io.dpuactors.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that every Markdown page renders: its fences are balanced, and its links have targets. */
class PageTest {
  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*:.*");

  @Test
  void everyFenceIsClosed() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Page page : pages()) {
      page.openFences().forEach(line -> wrong.add(page.path() + ":" + line + ": open fence"));
      page.swallowedHeadings()
          .forEach(line -> wrong.add(page.path() + ":" + line + ": heading inside of code"));
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyRelativeLinkHasAFileAndAnAnchor() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Page page : pages()) {
      brokenLinks(page).forEach(link -> wrong.add(page.path() + ": " + link));
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void aPageWithAnOddFenceIsNotBalanced() {
    Page page = Page.parse(Path.of("odd.md"), "```java\nfirst();\n```\nsecond\n```\n\n## Third\n");
    assertThat(page.openFences()).containsExactly(5);
    assertThat(page.swallowedHeadings()).containsExactly(5);
  }

  @Test
  void linksToMissingFilesAndAnchorsAreFound() throws IOException {
    Path path = Documents.ROOT.resolve("docs/imagined.md");
    Page page =
        Page.parse(
            path,
            """
            # The page, `itself`

            [here](#the-page-itself) [there](memory.md#a-lease) [folder](../docs) [out](https://localhost/x)
            [a](#nowhere) [b](memory.md#nowhere) [c](nowhere.md) ![d](nowhere.svg)
            `[not a link](at-all.md)`
            """);
    assertThat(brokenLinks(page))
        .containsExactly("#nowhere", "memory.md#nowhere", "nowhere.md", "nowhere.svg");
  }

  private static List<Page> pages() throws IOException {
    List<Page> pages = Page.below(Documents.ROOT);
    assertThat(pages)
        .extracting(Page::path)
        .contains(Documents.ROOT.resolve("README.md"), Documents.ROOT.resolve("docs/memory.md"));
    return pages;
  }

  private static List<String> brokenLinks(Page page) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String link : page.links()) {
      if (!SCHEME.matcher(link).matches() && !leadsSomewhere(page, link)) {
        broken.add(link);
      }
    }
    return broken;
  }

  private static boolean leadsSomewhere(Page page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path target = page.path().resolveSibling(parts[0]);
    if (!parts[0].isEmpty() && !Files.exists(target)) {
      return false;
    }
    Page to = parts[0].isEmpty() || parts.length == 1 ? page : Page.read(target);
    return parts.length == 1 || to.anchors().contains(parts[1]);
  }
}
