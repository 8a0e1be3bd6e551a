/**
 * The native boundary: DOCA's libraries or the software DPU, buffers, errors, and the list of
 * devices. Programs use the first two packages; the others belong to the actors.
 */
// The actors are compiled later, and JNA is an automatic module.
@SuppressWarnings({"module", "requires-automatic"})
module io.dpuactors.bridge {
  exports io.dpuactors.bridge;
  exports io.dpuactors.bridge.device;
  exports io.dpuactors.bridge.internal to
      io.dpuactors.core;

  requires com.sun.jna;
  requires org.jctools.core;
  requires org.slf4j;
  requires static transitive org.jspecify;
}
