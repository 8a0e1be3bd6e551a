#include "number.h"

#include <stddef.h>

static void (*_Atomic listener)(void);

void number_listen(void (*changed)(void))
{
	atomic_store(&listener, changed);
}

void number_changed(void)
{
	void (*changed)(void) = atomic_load(&listener);

	if (changed != NULL)
		changed();
}
