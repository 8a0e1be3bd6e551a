package io.dpuactors.apps.cli;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets a program choose its exit status on SIGTERM. By default the JVM exits with status 143. */
public final class Termination {
  private static final Logger LOG = LoggerFactory.getLogger(Termination.class);

  private Termination() {}

  /**
   * Replaces the JVM's reaction to SIGTERM with an action, which runs for each SIGTERM. The JDK has
   * no public class for this. Therefore this method finds {@code sun.misc.Signal} of the module
   * jdk.unsupported by name. Without that class, the JVM's reaction stays.
   *
   * @param action runs on a thread of the JVM and must not block
   */
  public static void onSigTerm(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object running =
          Proxy.newProxyInstance(
              Termination.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                action.run();
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("TERM"), running);
    } catch (ReflectiveOperationException e) {
      LOG.debug("SIGTERM ends this process with status 143", e);
    }
  }
}
