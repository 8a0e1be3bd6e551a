package io.dpuactors.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * A Markdown file of the repository, parsed as a browser would show it.
 *
 * @param path path of the file
 * @param fences fenced code blocks, in their order
 * @param links targets of links and images
 * @param anchors anchors of the headings
 */
record Page(Path path, List<FencedCodeBlock> fences, List<String> links, Set<String> anchors) {
  private static final Parser PARSER =
      Parser.builder().includeSourceSpans(IncludeSourceSpans.BLOCKS).build();
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder().extensions(List.of(HeadingAnchorExtension.create())).build();
  private static final Pattern HEADING = Pattern.compile("<h[1-6] id=\"([^\"]+)\"");

  /** Parses a file. */
  static Page read(Path path) throws IOException {
    return parse(path, Files.readString(path));
  }

  /** Parses the text of a file. */
  static Page parse(Path path, String text) {
    Node document = PARSER.parse(text);
    List<FencedCodeBlock> fences = new ArrayList<>();
    List<String> links = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(FencedCodeBlock fence) {
            fences.add(fence);
          }

          @Override
          public void visit(Link link) {
            links.add(link.getDestination());
            visitChildren(link);
          }

          @Override
          public void visit(Image image) {
            links.add(image.getDestination());
            visitChildren(image);
          }
        });
    Set<String> anchors =
        HEADING
            .matcher(RENDERER.render(document))
            .results()
            .map((MatchResult heading) -> heading.group(1))
            .collect(Collectors.toUnmodifiableSet());
    return new Page(path, List.copyOf(fences), List.copyOf(links), anchors);
  }

  /** Returns every Markdown file below a folder, without build output and hidden folders. */
  static List<Page> below(Path root) throws IOException {
    List<Page> pages = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return isSource(root, folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.toString().endsWith(".md")) {
              pages.add(read(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return pages;
  }

  private static boolean isSource(Path root, Path folder) {
    String name = folder.getFileName().toString();
    return folder.equals(root)
        || !(name.equals("target")
            || name.startsWith(".")
            || Files.exists(folder.resolve("CMakeCache.txt")));
  }

  /** Returns the lines of unclosed fences. A browser shows the rest of the page as code. */
  List<Integer> openFences() {
    return fences.stream()
        .filter(fence -> fence.getClosingFenceLength() == null)
        .map(Page::line)
        .toList();
  }

  /**
   * Returns the lines of code blocks that contain a heading: a fence before the heading is missing.
   */
  List<Integer> swallowedHeadings() {
    return fences.stream()
        .filter(fence -> fence.getLiteral().lines().anyMatch(line -> line.startsWith("## ")))
        .map(Page::line)
        .toList();
  }

  private static int line(FencedCodeBlock fence) {
    return fence.getSourceSpans().get(0).getLineIndex() + 1;
  }
}
