package io.dpuactors.apps;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a program decide how it ends on SIGTERM. By default the JVM ends with status 143, whatever
 * the program does.
 */
final class Termination {
  private static final Logger LOG = LoggerFactory.getLogger(Termination.class);

  private Termination() {}

  /**
   * Runs an action instead of the JVM's own, each time SIGTERM comes. The JDK has no public class
   * for this: {@code sun.misc.Signal} of the module jdk.unsupported is looked up by name, and
   * without it the JVM ends as usual.
   *
   * @param action runs on a thread of the JVM, and must not block
   */
  static void onSigTerm(Runnable action) {
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
