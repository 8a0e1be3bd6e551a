package io.dpuactors.simulation;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the rules of a fault plan that fire, in the state of the program in which they do. The
 * state of a step's begin counts, so the software DPU is asked only when the state changes. World's
 * thread.
 */
final class FiredRules {
  private final Supplier<long[]> fired;
  private final Consumer<String> reached;

  /** Rows of rules that have fired in any state, also of earlier plans. */
  private final Set<String> inAnyState = new LinkedHashSet<>();

  /** Errors that these rules name. */
  private final Set<String> errors = new LinkedHashSet<>();

  private Supplier<String> place = () -> "";
  private @Nullable Consumer<String> aim;
  private String last = "";
  private List<String> rows = List.of();
  private List<String> named = List.of();
  private long[] counted = {};

  /**
   * Creates counters without a plan.
   *
   * @param fired returns how often each rule of the current plan has fired
   * @param reached accepts the cells of the table of coverage
   */
  FiredRules(Supplier<long[]> fired, Consumer<String> reached) {
    this.fired = fired;
    this.reached = reached;
  }

  /**
   * Sets the program.
   *
   * @param place returns the program and its state; empty: the state is not known
   */
  void watch(Supplier<String> place) {
    this.place = place;
    last = place.get();
  }

  /** Sets an observer, which accepts the program and its state after each step. */
  void aim(Consumer<String> observer) {
    aim = observer;
  }

  /** Begins with a new plan. Call {@link #count} before the end of the old one. */
  void begin(String plan) {
    rows = Coverage.rows(plan);
    named = FaultPlans.errors(plan);
    counted = new long[rows.size()];
    last = place.get();
  }

  /** Counts the rules that have fired in the last state, if the state has changed. */
  void afterStep() {
    if (rows.isEmpty() && aim == null) {
      return;
    }
    String now = place.get();
    if (!last.equals(now)) {
      count();
    }
    if (aim != null) {
      aim.accept(now);
    }
  }

  /** Counts the rules that have fired in the last state since the last call. */
  void count() {
    if (rows.isEmpty()) {
      return;
    }
    long[] now = fired.get();
    for (int i = 0; i < rows.size(); i++) {
      if (now[i] > counted[i] && !last.isEmpty()) {
        reached.accept(Coverage.cell(last, rows.get(i)));
      }
    }
    note(now);
    counted = now;
    last = place.get();
  }

  /** Returns the rows of the rules that have fired until now, in any state. */
  Set<String> inAnyState() {
    if (!rows.isEmpty()) {
      note(fired.get());
    }
    return inAnyState;
  }

  /** Returns the errors that these rules name. */
  Set<String> errors() {
    inAnyState();
    return errors;
  }

  private void note(long[] now) {
    for (int i = 0; i < rows.size(); i++) {
      if (now[i] > 0) {
        inAnyState.add(rows.get(i));
        errors.add(named.get(i));
      }
    }
  }
}
