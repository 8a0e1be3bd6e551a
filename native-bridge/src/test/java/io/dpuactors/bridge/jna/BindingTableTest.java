package io.dpuactors.bridge.jna;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.ApiTable;
import io.dpuactors.bridge.ApiTable.Row;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Compares the bindings with the tables of DOCA's API: every function, and each argument's kind and
 * name.
 */
class BindingTableTest {
  /**
   * Inline functions of C that Java implements. The version of the headers is left out: it has no
   * meaning without headers.
   */
  private static final Set<String> INLINE_IN_JAVA =
      Set.of("doca_buf_inventory_buf_get_by_addr", "doca_buf_inventory_buf_get_by_data");

  private static final Set<String> INLINE_LEFT_OUT = Set.of("doca_version");

  /** Parts of libdoca_common for C programs only; Java does not bind them. */
  private static final Set<String> GROUPS_LEFT_OUT =
      Set.of("BUF_ARRAY", "CLOCK", "GRAPH", "MMAP_ADVISE", "RDMA_BRIDGE", "SYNC_EVENT");

  private static final Set<String> LEFT_OUT = Set.of("doca_devinfo_get_is_pcc_supported");

  /** Callback types without the usual suffix of callback names. */
  private static final Set<String> CALLBACKS = Set.of("log_flush_callback");

  private static final Map<String, String> SCALARS =
      Map.ofEntries(
          entry("void", "void"),
          entry("uint8_t", "byte"),
          entry("uint16_t", "short"),
          entry("uint32_t", "int"),
          entry("int", "int"),
          entry("doca_error_t", "int"),
          entry("doca_notification_handle_t", "int"),
          entry("doca_dpa_dev_mmap_t", "int"),
          entry("doca_dpa_dev_comch_consumer_t", "long"),
          entry("doca_dpa_dev_comch_consumer_completion_t", "long"),
          entry("doca_dpa_dev_comch_producer_t", "long"),
          entry("size_t", "long"),
          entry("uint64_t", "long"),
          entry("union doca_data", "long"));

  private static final Pattern PARAMETER = Pattern.compile("(.*?)(\\w+)");

  @Test
  void commonHasEveryFunctionOfTheTableAndNoOther() {
    assertThat(natives(DocaCommon.class)).isEqualTo(table("doca_common")).hasSize(170);
  }

  @Test
  void comchHasEveryFunctionOfTheTableAndNoOther() {
    assertThat(natives(DocaComch.class)).isEqualTo(table("doca_comch")).hasSize(101);
  }

  @Test
  void inlineFunctionsAreBuiltInJava() {
    Map<String, String> expected = table("(inline)");
    Set<String> leftOut = new TreeSet<>(expected.keySet());
    leftOut.removeAll(INLINE_IN_JAVA);
    expected.keySet().retainAll(INLINE_IN_JAVA);

    assertThat(leftOut).isEqualTo(INLINE_LEFT_OUT);
    assertThat(methods(DocaCommon.class, false)).containsAllEntriesOf(expected);
    assertThat(expected.keySet()).isEqualTo(INLINE_IN_JAVA);
  }

  @Test
  void requiredFunctionsAreFunctions() {
    assertThat(natives(DocaCommon.class).keySet()).containsAll(DocaCommon.REQUIRED);
    assertThat(natives(DocaComch.class).keySet()).containsAll(DocaComch.REQUIRED);
  }

  /** The substitute of a missing function returns 4, which is not the address of a text. */
  @Test
  void functionsThatAnswerTextAreRequired() {
    assertThat(DocaCommon.REQUIRED)
        .containsAll(
            natives(DocaCommon.class).entrySet().stream()
                .filter(function -> function.getValue().startsWith("String "))
                .map(Map.Entry::getKey)
                .toList());
  }

  private static Map<String, String> table(String library) {
    Map<String, String> functions = new TreeMap<>();
    ApiTable.read("functions.tsv").stream()
        .filter(row -> row.get("library").equals(library))
        .filter(row -> !GROUPS_LEFT_OUT.contains(row.get("group")))
        .filter(row -> !LEFT_OUT.contains(row.get("name")))
        .forEach(row -> functions.put(row.get("name"), javaSignature(row)));
    return functions;
  }

  private static String javaSignature(Row row) {
    String function = row.get("name");
    String parameters = row.get("parameters");
    String arguments =
        parameters.isBlank() || parameters.equals("void")
            ? ""
            : Arrays.stream(parameters.split(","))
                .map(parameter -> javaParameter(function, parameter.strip()))
                .collect(Collectors.joining(", "));
    return javaResult(row.get("return_type")) + " (" + arguments + ")";
  }

  private static String javaResult(String type) {
    if (type.equals("const char *")) {
      return "String";
    }
    return type.endsWith("*") ? "long" : scalar(type);
  }

  private static String javaParameter(String function, String parameter) {
    if (parameter.equals("...")) {
      return "String argument"; // doca_log, bound for the format "%s"
    }
    Matcher typed = PARAMETER.matcher(parameter);
    assertThat(typed.matches()).as(parameter).isTrue();
    return javaKind(function, typed.group(1).strip()) + " " + camelCase(typed.group(2));
  }

  private static String camelCase(String name) {
    return Pattern.compile("_(.)")
        .matcher(name)
        .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
  }

  private static String javaKind(String function, String type) {
    if (isCallback(type) || function.endsWith("_destroy_list")) {
      return "long"; // the address of the list, as its creation returned it
    }
    long stars = type.chars().filter(c -> c == '*').count();
    String base = type.replace("const ", "").replace("*", "").strip();
    if (stars == 0) {
      return scalar(base);
    }
    if (stars > 1) {
      return "long[]";
    }
    return pointer(function, type, base);
  }

  private static String pointer(String function, String type, String base) {
    if (base.equals("char")) {
      if (type.startsWith("const")) {
        return "String";
      }
      // A log buffer outlives the call, so it is native memory; the call fills other texts itself.
      return function.startsWith("doca_log_") ? "long" : "byte[]";
    }
    boolean isObject = base.startsWith("struct ") || base.equals("void") || base.equals("FILE");
    return isObject ? "long" : scalar(base) + "[]";
  }

  private static boolean isCallback(String type) {
    String base = type.replace("*", "").strip();
    return base.endsWith("_cb_t") || base.endsWith("_callback_t") || CALLBACKS.contains(base);
  }

  private static String scalar(String type) {
    String kind = type.startsWith("enum ") ? "int" : SCALARS.get(type);
    assertThat(kind).as("kind of %s", type).isNotNull();
    return kind;
  }

  private static Map<String, String> natives(Class<?> binding) {
    return methods(binding, true);
  }

  private static Map<String, String> methods(Class<?> binding, boolean isNative) {
    Map<String, String> functions = new TreeMap<>();
    for (Method method : binding.getDeclaredMethods()) {
      if (Modifier.isNative(method.getModifiers()) == isNative
          && Modifier.isPublic(method.getModifiers())) {
        String arguments =
            Arrays.stream(method.getParameters())
                .map(parameter -> parameter.getType().getSimpleName() + " " + parameter.getName())
                .collect(Collectors.joining(", "));
        String before =
            functions.put(
                method.getName(), method.getReturnType().getSimpleName() + " (" + arguments + ")");
        assertThat(before).as("overload of %s", method.getName()).isNull();
      }
    }
    return functions;
  }
}
