package io.dpuactors.apps.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.util.Locale;

/** Log layout: one line per event for users, or all details for debugging. */
final class LogLayout extends LayoutBase<ILoggingEvent> {
  private final boolean debug;

  LogLayout(boolean debug) {
    this.debug = debug;
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    String level = event.getLevel().toString();
    if (!debug) {
      return "dpu: %s: %s%n".formatted(level.toLowerCase(Locale.ROOT), event.getFormattedMessage());
    }
    String line =
        "%tT.%<tL %-5s [%s] %s: %s%n"
            .formatted(
                event.getTimeStamp(),
                level,
                event.getThreadName(),
                event.getLoggerName(),
                event.getFormattedMessage());
    return event.getThrowableProxy() == null
        ? line
        : line + ThrowableProxyUtil.asString(event.getThrowableProxy());
  }
}
