/* Reference count, window and content of one buffer. */
#include "sd_calls.h"
#include "sd_shape.h"
#include "stock.h"

doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount)
{
	if (buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (buf->refcount == 0)
		return DOCA_ERROR_BAD_STATE;
	if (!buf->is_head)
		return DOCA_ERROR_NOT_PERMITTED;
	if (buf->refcount == UINT16_MAX)
		return DOCA_ERROR_TOO_BIG;
	if (refcount != NULL)
		*refcount = buf->refcount;
	buf->refcount++;
	return DOCA_SUCCESS;
}

static void return_list(struct doca_buf *head)
{
	struct doca_buf *buf, *next;

	for (buf = head; buf != NULL; buf = next) {
		next = buf->next;
		stock_return(buf);
	}
}

doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount)
{
	if (sd_calls_refuse(__func__, buf))
		return DOCA_ERROR_BAD_STATE;
	if (buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (buf->refcount == 0)
		return DOCA_ERROR_BAD_STATE;
	if (!buf->is_head)
		return DOCA_ERROR_NOT_PERMITTED;
	if (refcount != NULL)
		*refcount = buf->refcount;
	if (buf->refcount == 1)
		return_list(buf);
	else
		buf->refcount--;
	return DOCA_SUCCESS;
}

SD_GETTER(doca_buf_get_refcount, const struct doca_buf, uint16_t, object->refcount)
SD_GETTER(doca_buf_get_head, const struct doca_buf, void *, object->head)
SD_GETTER(doca_buf_get_len, const struct doca_buf, size_t, object->len)
SD_GETTER(doca_buf_get_data, const struct doca_buf, void *, object->data)
SD_GETTER(doca_buf_get_data_len, const struct doca_buf, size_t, object->data_len)

doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len)
{
	if (buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	buf->data = data;
	buf->data_len = data_len;
	return DOCA_SUCCESS;
}

SD_STORE(doca_buf_set_data_len, struct doca_buf, size_t, data_len)

doca_error_t doca_buf_reset_data_len(struct doca_buf *buf)
{
	return doca_buf_set_data_len(buf, 0);
}
