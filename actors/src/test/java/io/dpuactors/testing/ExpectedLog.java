package io.dpuactors.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Declares parts of warnings that a test logs, any number of times. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ExpectedLog {
  /** Returns the expected parts of the messages. */
  String[] value();

  /** Returns whether each part must occur; false if another correct outcome may prevent it. */
  boolean always() default true;
}
