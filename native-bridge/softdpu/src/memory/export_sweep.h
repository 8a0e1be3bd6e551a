/* Exporters that were killed leave their sockets in the rendezvous folder, under names that nobody uses again. */
#ifndef EXPORT_SWEEP_H
#define EXPORT_SWEEP_H

/** Remove the sockets of dead exporters. */
void export_sweep(void);

#endif
