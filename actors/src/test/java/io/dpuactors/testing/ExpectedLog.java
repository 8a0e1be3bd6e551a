package io.dpuactors.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Declares parts of warnings that a test logs. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ExpectedLog {
  /** Returns the expected parts of the messages. */
  String[] value();

  /** Returns whether each part must occur; false if another correct outcome may prevent it. */
  boolean always() default true;

  /** Returns the largest number of messages with each part. */
  int most() default Integer.MAX_VALUE;
}
