package io.dpuactors.fleet;

import org.apache.pekko.actor.ActorSystem.Settings;
import org.apache.pekko.event.DefaultLoggingFilter;
import org.apache.pekko.event.EventStream;

/**
 * Lets the events pass by which Pekko's streams report aborted and ended connections. The level of
 * these events is debug; {@link FleetLogger} needs them. The key {@code pekko.logging-filter} names
 * this class.
 */
public final class FleetLoggingFilter extends DefaultLoggingFilter {
  /** Called by Pekko. */
  public FleetLoggingFilter(Settings settings, EventStream events) {
    super(settings, events);
  }

  @Override
  public boolean isDebugEnabled(Class<?> logClass, String logSource) {
    return super.isDebugEnabled(logClass, logSource)
        || logClass.getName().startsWith("org.apache.pekko.stream.impl.io.Tcp")
        || logClass.getName().equals("org.apache.pekko.stream.Materializer");
  }
}
