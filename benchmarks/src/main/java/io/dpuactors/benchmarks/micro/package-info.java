/** Benchmarks of single steps, run by JMH, which fills their fields: hence no null marks here. */
package io.dpuactors.benchmarks.micro;
