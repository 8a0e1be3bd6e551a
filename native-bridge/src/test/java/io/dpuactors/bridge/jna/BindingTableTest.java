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
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Compares the bindings with the tables of DOCA's API: each mapped function is in the table, with
 * the kind and name of each argument. Other functions are called by name.
 */
class BindingTableTest {
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
  void eachFunctionOfCommonHasTheSignatureOfTheTable() {
    assertTable("doca_common", natives(DocaCommon.class));
  }

  @Test
  void eachFunctionOfComchHasTheSignatureOfTheTable() {
    assertTable("doca_comch", natives(DocaComch.class));
  }

  @Test
  void requiredFunctionsAreFunctions() {
    assertThat(rows("doca_common").keySet()).containsAll(DocaCommon.REQUIRED);
    assertThat(rows("doca_comch").keySet()).containsAll(DocaComch.REQUIRED);
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

  private static void assertTable(String library, Map<String, String> natives) {
    Map<String, Row> rows = rows(library);
    assertThat(natives).isNotEmpty();
    assertThat(rows).containsKeys(natives.keySet().toArray(String[]::new));
    natives.forEach(
        (name, signature) -> {
          Row row = Objects.requireNonNull(rows.get(name), name);
          assertThat(signature).as(name).isEqualTo(javaSignature(row));
        });
  }

  private static Map<String, Row> rows(String library) {
    return ApiTable.read("functions.tsv").stream()
        .filter(row -> row.get("library").equals(library))
        .collect(Collectors.toMap(row -> row.get("name"), row -> row));
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
    Map<String, String> functions = new TreeMap<>();
    for (Method method : binding.getDeclaredMethods()) {
      if (Modifier.isNative(method.getModifiers())) {
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
