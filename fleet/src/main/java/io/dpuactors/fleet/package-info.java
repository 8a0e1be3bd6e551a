/**
 * Work spread over the engines of many processes and machines on Pekko Cluster. A node offers its
 * engines; a client sends the blocks of its files to the nodes that ask for work. Engines and
 * contexts stay local: nodes exchange only the messages of {@link io.dpuactors.fleet.FleetMessage}.
 */
@NullMarked
package io.dpuactors.fleet;

import org.jspecify.annotations.NullMarked;
