package io.dpuactors.simulation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test method with a parameter of type {@link SimulatedSystem} that runs once for each seed, up
 * to the first failure. Each seed has a fresh instance of the test class. {@code @BeforeEach} and
 * {@code @AfterEach} methods run outside the simulation.
 *
 * <p>The message of a failure has the seed. The system property {@code simulation.seed} runs one
 * seed only, and {@code simulation.trace} names a file for its steps.
 *
 * <pre>{@code
 * @Simulated(seeds = 1000)
 * void eachOrderHasOneReceipt(SimulatedSystem system) { ... }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SimulatedExtension.class)
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock("io.dpuactors.softdpu")
public @interface Simulated {
  /** Number of seeds. */
  long seeds() default 100;

  /** First seed. */
  long from() default 1;

  /** Fault plan from the start of each run; see {@code softdpu.h}. */
  String faults() default "";

  /**
   * Resource on the class path with settings of the actor system, such as {@code application.conf};
   * see {@link Simulation#config}. Empty: none.
   */
  String config() default "";
}
