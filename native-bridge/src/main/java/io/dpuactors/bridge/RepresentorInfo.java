package io.dpuactors.bridge;

/**
 * A function of the host as the DPU side sees it. A property that it lacks is empty.
 *
 * @param pciAddress address on the host's bus, as in {@code 0000:81:00.0}
 * @param functionType {@code PF}, {@code VF} or {@code SF}; the number of a type that has no name
 *     here
 * @param vuid the vendor's unique name of the function
 * @param ifaceName network interface of the representor on this side
 */
public record RepresentorInfo(
    String pciAddress, String functionType, String vuid, String ifaceName) {}
