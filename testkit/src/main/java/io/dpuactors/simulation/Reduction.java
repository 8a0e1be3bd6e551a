package io.dpuactors.simulation;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A smaller form of a run, to find the cause of a failure.
 *
 * @param requests largest number of requests, or of messages of a client
 * @param dropped numbers of the disturbances that do not happen, from 1 to 3; 4: the quirks of the
 *     software DPU; 5: the exceptions of behaviors
 */
public record Reduction(int requests, Set<Integer> dropped) {
  /** The number of the exceptions of behaviors, which is the largest one. */
  public static final int THROWS = Quirks.NUMBER + 1;

  /** The whole run. */
  public static final Reduction NONE = new Reduction(Integer.MAX_VALUE, Set.of());

  /** Makes the set immutable. */
  public Reduction {
    dropped = Set.copyOf(dropped);
  }

  /** Returns a reduction with another number of requests. */
  Reduction withRequests(int number) {
    return new Reduction(number, dropped);
  }

  /** Returns a reduction that drops one more number. */
  Reduction without(int number) {
    Set<Integer> more = new TreeSet<>(dropped);
    more.add(number);
    return new Reduction(requests, more);
  }

  /** Returns the options of {@code dpu simulate} for this reduction. */
  public List<String> options() {
    Stream<String> requested =
        requests == Integer.MAX_VALUE
            ? Stream.of()
            : Stream.of("--requests", Integer.toString(requests));
    Stream<String> drop =
        dropped.isEmpty()
            ? Stream.of()
            : Stream.of(
                "--drop",
                dropped.stream().sorted().map(String::valueOf).collect(Collectors.joining(",")));
    return Stream.concat(requested, drop).toList();
  }
}
