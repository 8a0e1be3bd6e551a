package io.dpuactors.bridge.device;

/**
 * A host function as seen from the DPU side. Missing properties are empty.
 *
 * @param pciAddress address on the host's bus, as in {@code 0000:81:00.0}
 * @param functionType {@code PF}, {@code VF} or {@code SF}; a number for an unknown type
 * @param vuid the vendor's unique name of the function
 * @param ifaceName network interface of the representor on this side
 */
public record RepresentorInfo(
    String pciAddress, String functionType, String vuid, String ifaceName) {}
