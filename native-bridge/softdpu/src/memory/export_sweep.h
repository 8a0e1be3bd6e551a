/* Killed exporters leave their sockets in the rendezvous folder. No later exporter uses these names again. */
#ifndef EXPORT_SWEEP_H
#define EXPORT_SWEEP_H

/** Removes the sockets of dead exporters. */
void export_sweep(void);

#endif
