package io.dpuactors.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.docs.Documents.Fence;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that the code in README.md and docs/ equals code that is compiled and run. */
class DocumentsTest {
  @Test
  void everySnippetIsTheTextOfItsSource() throws IOException {
    Map<String, String> sources =
        Documents.snippets().stream().collect(Collectors.toMap(Fence::snippet, Fence::text));
    List<Fence> shown = Documents.fences().stream().filter(f -> !f.snippet().isEmpty()).toList();
    assertThat(shown).isNotEmpty();
    assertThat(shown)
        .allSatisfy(
            fence ->
                assertThat(fence.text())
                    .as("%s in %s", fence.snippet(), fence.page())
                    .isEqualTo(sources.get(fence.snippet())));
  }

  @Test
  void noJavaIsShownThatWasNotCompiled() throws IOException {
    assertThat(Documents.fences())
        .filteredOn(fence -> fence.language().equals("java"))
        .allMatch(fence -> !fence.snippet().isEmpty());
  }

  @Test
  void everySnippetIsShownSomewhere() throws IOException {
    List<String> shown = Documents.fences().stream().map(Fence::snippet).toList();
    assertThat(Documents.snippets()).extracting(Fence::snippet).isNotEmpty().isSubsetOf(shown);
  }

  @Test
  void theDependencyLineNamesTheVersionThatThisIs() throws IOException {
    String pom = Files.readString(Documents.ROOT.resolve("pom.xml"));
    Matcher version = Pattern.compile("<version>([^<]+)</version>").matcher(pom);
    assertThat(version.find()).isTrue();
    assertThat(Files.readString(Documents.ROOT.resolve("docs/getting-started.md")))
        .contains("<artifactId>dpu-actors-core</artifactId>")
        .contains("<version>" + version.group(1) + "</version>");
  }

  @Test
  void theBuildLineForCIsTheOneOfTheExample() throws IOException {
    String program = Files.readString(Documents.ROOT.resolve("examples/c-program/deflate.c"));
    Matcher line = Pattern.compile("\\* build: (.*)\n").matcher(program);
    assertThat(line.find()).isTrue();
    assertThat(Files.readString(Documents.ROOT.resolve("docs/software-dpu.md")))
        .contains("\n" + line.group(1) + "\n");
  }

  @Test
  void everySettingOfTheSoftwareDpuIsExplained() throws IOException {
    String header =
        Files.readString(Documents.ROOT.resolve("native-bridge/softdpu/include/softdpu.h"));
    String page = Files.readString(Documents.ROOT.resolve("docs/software-dpu.md"));
    Matcher variable = Pattern.compile("\\| (SOFTDPU_[A-Z_]+) +\\|").matcher(header);
    List<String> variables = variable.results().map(result -> result.group(1)).toList();
    assertThat(variables).isNotEmpty();
    assertThat(variables).allSatisfy(name -> assertThat(page).contains("| `" + name + "` |"));
  }
}
