#include "sd_quirk.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sd_reason.h"

enum { MAX_NAME_LEN = 64 };

static const char *const names[SD_QUIRKS] = {
	[SD_QUIRK_LOST_START] = "Q1",
	[SD_QUIRK_IDLE_CHILD_BLOCKS] = "Q2",
	[SD_QUIRK_STOP_ONE_TURN_LATER] = "Q3",
	[SD_QUIRK_DISCONNECT_AGAIN] = "Q4",
	[SD_QUIRK_NO_CREDIT] = "Q5",
	[SD_QUIRK_DISTINCT_OPENS] = "Q9",
	[SD_QUIRK_NULL_ADDRESS] = "Q10",
	[SD_QUIRK_MANDATORY_CALLBACKS] = "Q11",
	[SD_QUIRK_LATE_DMA_STOP] = "Q14",
	[SD_QUIRK_EARLY_RELEASE] = "Q22",
	[SD_QUIRK_NO_DIRECT_COPY] = "no-direct-copy",
};

static _Atomic uint32_t quirks_on;

static doca_error_t parse(const char *list, uint32_t *quirks, char *why)
{
	while (*list != '\0') {
		size_t len = strcspn(list, ", ");
		uint32_t i;

		for (i = 0; i < SD_QUIRKS && (strlen(names[i]) != len || strncmp(names[i], list, len) != 0); i++)
			;
		if (len > 0 && i == SD_QUIRKS) {
			snprintf(why, SD_REASON_SIZE, "\"%.*s\" is no quirk: Q1 to Q5, Q9 to Q11, Q14, Q22 and no-direct-copy are",
				 (int)(len < MAX_NAME_LEN ? len : MAX_NAME_LEN), list);
			return DOCA_ERROR_INVALID_VALUE;
		}
		if (len > 0)
			*quirks |= UINT32_C(1) << i;
		list += len + (list[len] != '\0');
	}
	return DOCA_SUCCESS;
}

doca_error_t sd_quirk_load(const char *list, char *why)
{
	uint32_t quirks = 0;
	doca_error_t result = list == NULL ? DOCA_SUCCESS : parse(list, &quirks, why);

	if (result == DOCA_SUCCESS)
		atomic_store(&quirks_on, quirks);
	return result;
}

uint8_t sd_quirk_is_on(enum sd_quirk quirk)
{
	return (atomic_load_explicit(&quirks_on, memory_order_relaxed) >> quirk & 1) != 0;
}
