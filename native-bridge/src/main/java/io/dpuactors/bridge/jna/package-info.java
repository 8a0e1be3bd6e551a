/**
 * The only package that names JNA: direct-mapped bindings, one class per native library, with the
 * names and the arguments of the C functions. {@link NamedFunctions} calls the functions of
 * libraries without a class.
 *
 * <p>Mapping of C types:
 *
 * <table>
 * <caption>Kinds of arguments and results</caption>
 * <tr><th>C</th><th>Java</th></tr>
 * <tr><td>pointer to an object, callback, {@code size_t}, {@code uint64_t}, {@code union doca_data}</td>
 *     <td>{@code long}; 0 is NULL</td></tr>
 * <tr><td>{@code uint32_t}, {@code int}, an enum, {@code doca_error_t}</td><td>{@code int}</td></tr>
 * <tr><td>{@code uint16_t}</td><td>{@code short}</td></tr>
 * <tr><td>{@code uint8_t}</td><td>{@code byte}</td></tr>
 * <tr><td>{@code const char *}</td><td>{@code String}, valid during the call only</td></tr>
 * <tr><td>output argument</td><td>an array of its Java type with one element</td></tr>
 * <tr><td>memory that the call fills</td><td>{@code byte[]}</td></tr>
 * </table>
 */
@NullMarked
package io.dpuactors.bridge.jna;

import org.jspecify.annotations.NullMarked;
