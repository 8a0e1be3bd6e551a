package io.dpuactors.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Parts of warnings that a test logs, any number of times. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ExpectedLog {
  /** What the messages contain. */
  String[] value();

  /** Whether each must be there; false where something else may rightly come first. */
  boolean always() default true;
}
