/* Lists of buffers. The head holds the last element and the number of elements, so an append takes constant time. */
#include "sd_shape.h"
#include "stock.h"

doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2)
{
	if (list1 == NULL || list2 == NULL || list1 == list2)
		return DOCA_ERROR_INVALID_VALUE;
	if (!list1->is_head || list1->refcount == 0 || !list2->is_head || list2->refcount != 1)
		return DOCA_ERROR_NOT_PERMITTED;
	list1->last->next = list2;
	list1->last = list2->last;
	list1->list_len += list2->list_len;
	list2->is_head = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head, struct doca_buf *list1_tail, struct doca_buf *list2)
{
	if (list1_head == NULL || list1_tail == NULL || list2 == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!list1_head->is_head)
		return DOCA_ERROR_NOT_PERMITTED;
	if (list1_tail != list1_head->last)
		return DOCA_ERROR_INVALID_VALUE;
	return doca_buf_chain_list(list1_head, list2);
}

doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2)
{
	struct doca_buf *before;
	uint32_t left = 1;

	if (list1 == NULL || list2 == NULL || list1 == list2)
		return DOCA_ERROR_INVALID_VALUE;
	if (!list1->is_head || list1->refcount == 0)
		return DOCA_ERROR_NOT_PERMITTED;
	for (before = list1; before != NULL && before->next != list2; before = before->next)
		left++;
	if (before == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	list2->last = list1->last;
	list2->list_len = list1->list_len - left;
	list2->refcount = 1;
	list2->is_head = 1;
	before->next = NULL;
	list1->last = before;
	list1->list_len = left;
	return DOCA_SUCCESS;
}

SD_GETTER(doca_buf_get_next_in_list, struct doca_buf, struct doca_buf *, object->next)

doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf, struct doca_buf **last_buf)
{
	if (buf == NULL || last_buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (buf->is_head) {
		*last_buf = buf->last;
		return DOCA_SUCCESS;
	}
	while (buf->next != NULL)
		buf = buf->next;
	*last_buf = buf;
	return DOCA_SUCCESS;
}

SD_GETTER(doca_buf_is_in_list, const struct doca_buf, uint8_t, !object->is_head || object->next != NULL)
SD_GETTER(doca_buf_is_first_in_list, const struct doca_buf, uint8_t, object->is_head)
SD_GETTER(doca_buf_is_last_in_list, const struct doca_buf, uint8_t, object->next == NULL)

doca_error_t doca_buf_get_list_len(const struct doca_buf *buf, uint32_t *num_elements)
{
	if (buf == NULL || num_elements == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!buf->is_head)
		return DOCA_ERROR_NOT_PERMITTED;
	*num_elements = buf->list_len;
	return DOCA_SUCCESS;
}
