package io.dpuactors.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads README.md and docs/*.md, and the code that they show. */
final class Documents {
  /** root of the checkout */
  static final Path ROOT = Path.of(System.getProperty("dpu.root", ".."));

  private static final List<Path> SOURCES =
      Stream.of(
              "actors/src/test/java/io/dpuactors/docs",
              "services/src/test/java/io/dpuactors/docs",
              "examples")
          .map(ROOT::resolve)
          .toList();
  private static final Pattern FENCE =
      Pattern.compile(
          "(?:<!-- snippet: (\\S+) (\\S+) -->\\n)?```(\\w*)\\n(.*?)\\n```\\n", Pattern.DOTALL);
  private static final Pattern TAG =
      Pattern.compile("// tag::(\\w+)\\[\\]\\n(.*?)\\n *// end::\\1\\[\\]", Pattern.DOTALL);

  private Documents() {}

  /**
   * A fenced block.
   *
   * @param page the page with the block
   * @param snippet file and tag, "HelloCompress.java hello"; empty for a block without a snippet
   * @param language language after the opening fence
   * @param text text between the fences
   */
  record Fence(Path page, String snippet, String language, String text) {}

  /** Returns all pages. */
  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  /** Returns all fenced blocks of all pages. */
  static List<Fence> fences() throws IOException {
    List<Fence> fences = new ArrayList<>();
    for (Path page : pages()) {
      Matcher fence = FENCE.matcher(Files.readString(page));
      while (fence.find()) {
        String snippet = fence.group(1) == null ? "" : fence.group(1) + " " + fence.group(2);
        fences.add(new Fence(page, snippet, fence.group(3), fence.group(4)));
      }
    }
    return fences;
  }

  /** Returns all tagged code: "HelloCompress.java hello" and its text without indentation. */
  static List<Fence> snippets() throws IOException {
    List<Fence> snippets = new ArrayList<>();
    for (Path folder : SOURCES) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Documents::isJava).sorted().toList()) {
          snippets.addAll(snippets(file));
        }
      }
    }
    return snippets;
  }

  private static List<Fence> snippets(Path file) throws IOException {
    return TAG.matcher(Files.readString(file))
        .results()
        .map(tag -> new Fence(file, snippet(file, tag.group(1)), "java", unindented(tag.group(2))))
        .toList();
  }

  private static boolean isJava(Path file) {
    return file.toString().endsWith(".java");
  }

  private static String snippet(Path file, String tag) {
    return file.getFileName() + " " + tag;
  }

  private static String unindented(String code) {
    return code.stripTrailing().stripIndent();
  }
}
