package io.dpuactors.simulation;

import io.dpuactors.simulation.TraceStep.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The steps of a run as a sequence diagram in SVG: one column for each actor and engine, one arrow
 * for each message. The colors of the diagram follow the reader's light or dark mode. Thread: one.
 */
final class SequenceDiagram {
  /** Number of steps in a diagram. The text of the run has all. */
  static final int MAX_STEPS = 2000;

  private static final int LEFT = 110;
  private static final int COLUMN = 170;
  private static final int TOP = 50;
  private static final int ROW = 20;
  private static final int MAX_TEXT = 60;
  private static final int MAX_HEAD = 26;

  private static final String STYLE =
      """
      <style>
        svg { background: #ffffff; color: #1c2733; font: 11px sans-serif; }
        line { stroke: currentColor; }
        text { fill: currentColor; }
        .life { stroke-dasharray: 2 4; opacity: .4; }
        .time { text-anchor: end; opacity: .7; }
        .head { font-weight: bold; text-anchor: middle; }
        .label { text-anchor: middle; }
        .device { fill: #0b6e4f; }
        .note { fill: #b3261e; }
        @media (prefers-color-scheme: dark) {
          svg { background: #12171d; color: #dde5ec; }
          .device { fill: #6fd7a9; }
          .note { fill: #ff9d94; }
        }
      </style>
      <defs><marker id="to" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path d="M0 0 L8 4 L0 8 z" fill="context-stroke"/></marker></defs>
      """;

  private final Map<String, Integer> columns = new LinkedHashMap<>();
  private final List<TraceStep> steps = new ArrayList<>();
  private long dropped;

  /** Adds a step. Leaves out the actors of Pekko. */
  void add(TraceStep step) {
    if (step.kind() == Kind.TASK || isPekko(step.subject())) {
      return;
    }
    if (steps.size() == MAX_STEPS) {
      dropped++;
      return;
    }
    steps.add(step);
    column(step.from());
    column(step.subject());
  }

  private static boolean isPekko(String subject) {
    return subject.startsWith("/system") || subject.equals("/user") || subject.equals("/");
  }

  /** Returns the number of a column, from 0; -1 for none. */
  private int column(String name) {
    if (name.isEmpty() || isPekko(name) || !(name.startsWith("/") || name.startsWith("dpu-"))) {
      return -1;
    }
    return columns.computeIfAbsent(name, fresh -> columns.size());
  }

  /** Returns the diagram. */
  String toSvg() {
    int width = LEFT + COLUMN * Math.max(1, columns.size());
    int height = TOP + ROW * (steps.size() + 2);
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">%n"
            .formatted(width, height, width, height));
    svg.append(STYLE);
    columns.forEach((name, column) -> head(svg, name, column, height));
    for (int i = 0; i < steps.size(); i++) {
      row(svg, steps.get(i), TOP + ROW * (i + 1));
    }
    if (dropped > 0) {
      text(svg, "note", LEFT, height - ROW / 2, "%d more steps".formatted(dropped));
    }
    return svg.append("</svg>\n").toString();
  }

  private static int x(int column) {
    return LEFT + COLUMN / 2 + COLUMN * column;
  }

  private static void head(StringBuilder svg, String name, int column, int height) {
    String shown = name.replaceFirst("^/user/(run/)?", "");
    int cut = Math.max(0, shown.length() - MAX_HEAD);
    text(svg, "head", x(column), TOP - 20, shown.substring(cut));
    svg.append(
        "<line class=\"life\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n"
            .formatted(x(column), TOP - 10, x(column), height));
  }

  private void row(StringBuilder svg, TraceStep step, int y) {
    text(svg, "time", LEFT - 8, y, "%d.%03d µs".formatted(step.atNs() / 1000, step.atNs() % 1000));
    int to = column(step.subject());
    if (to < 0) {
      text(svg, "note", LEFT, y, step.text());
      return;
    }
    int from = column(step.from());
    String label =
        step.kind() == Kind.MESSAGE ? step.text().replaceFirst("\\[.*", "") : step.text();
    boolean isNative = step.kind() == Kind.DEVICE || step.kind() == Kind.CALLS;
    String kind = isNative ? "label device" : "label";
    if (from < 0 || from == to) {
      text(svg, kind, x(to), y - 3, from == to ? "↺ " + label : label);
      return;
    }
    text(svg, kind, (x(from) + x(to)) / 2, y - 3, label);
    svg.append(
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" marker-end=\"url(#to)\"/>%n"
            .formatted(x(from), y, x(to), y));
  }

  private static void text(StringBuilder svg, String type, int x, int y, String text) {
    String shown = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
    String escaped =
        shown
            .replaceAll("\\p{Cntrl}", "?")
            .replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;");
    svg.append("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n".formatted(type, x, y, escaped));
  }
}
