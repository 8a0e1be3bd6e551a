package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** Records the phases of native halves, in the order in which they were entered. */
public final class NodeLog implements AutoCloseable {
  private static final Pattern STEP = Pattern.compile("(\\S+): ([A-Z]+) -> ([A-Z]+)");

  /** phases that require that no child exists */
  private static final Set<String> LATE = Set.of("STOPPING", "DISCONNECTING");

  private static final Set<String> OVER = Set.of("GONE", "LOST");

  /**
   * A phase change of a native half.
   *
   * @param thread thread of its engine
   */
  public record Step(String thread, String node, String from, String to) {}

  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.dpuactors.node");
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          Matcher matcher = STEP.matcher(event.getFormattedMessage());
          if (matcher.matches()) {
            steps.add(
                new Step(
                    event.getThreadName(), matcher.group(1), matcher.group(2), matcher.group(3)));
          }
        }
      };

  public NodeLog() {
    appender.setContext(logger.getLoggerContext());
    appender.start();
    logger.setLevel(Level.DEBUG);
    logger.addAppender(appender);
  }

  /** Returns all recorded steps. */
  public List<Step> steps() {
    return List.copyOf(steps);
  }

  /** Returns the phases of one native half. */
  public List<String> phases(String node) {
    return steps.stream().filter(step -> step.node.equals(node)).map(Step::to).toList();
  }

  /** Returns whether a native half is in a phase now. */
  public boolean isIn(String node, String phase) {
    List<String> all = phases(node);
    return !all.isEmpty() && all.get(all.size() - 1).equals(phase);
  }

  /** Asserts that no native half was stopped or disconnected while it had children. */
  public void assertChildrenFirst() {
    Set<String> alive = new HashSet<>();
    for (Step step : steps) {
      String key = step.thread + " " + step.node;
      if (OVER.contains(step.to)) {
        alive.remove(key);
      } else {
        alive.add(key);
      }
      if (LATE.contains(step.to)) {
        assertThat(alive).as("alive when %s", step).noneMatch(one -> one.startsWith(key + "/"));
      }
    }
    assertThat(alive).as("native halves that never ended").isEmpty();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setLevel(null);
    appender.stop();
  }
}
