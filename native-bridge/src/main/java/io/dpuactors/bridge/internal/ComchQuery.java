package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.ComchCapabilities;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.jna.DocaComch;

/** Reads the comch capabilities of a device. */
public final class ComchQuery {
  /** Reads one number of a device. */
  private interface Limit {
    int ask(long devinfo, int[] value);
  }

  private ComchQuery() {}

  /** Returns the capabilities of a device by its description. The device need not be open. */
  public static ComchCapabilities capabilities(long devinfo) {
    boolean server = DocaComch.doca_comch_cap_server_is_supported(devinfo) == 0;
    boolean client = DocaComch.doca_comch_cap_client_is_supported(devinfo) == 0;
    boolean consumer = DocaComch.doca_comch_consumer_cap_is_supported(devinfo) == 0;
    boolean producer = DocaComch.doca_comch_producer_cap_is_supported(devinfo) == 0;
    boolean control = server || client;
    return new ComchCapabilities(
        server,
        client,
        consumer,
        producer,
        clamped(control, devinfo, DocaComch::doca_comch_cap_get_max_name_len),
        clamped(control, devinfo, DocaComch::doca_comch_cap_get_max_msg_size),
        clamped(control, devinfo, DocaComch::doca_comch_cap_get_max_recv_queue_size),
        clamped(control, devinfo, DocaComch::doca_comch_cap_get_max_send_tasks),
        clamped(server, devinfo, DocaComch::doca_comch_cap_get_max_clients),
        bytes(consumer, devinfo, DocaComch::doca_comch_consumer_cap_get_max_buf_size),
        clamped(consumer, devinfo, DocaComch::doca_comch_consumer_cap_get_max_num_tasks),
        bytes(producer, devinfo, DocaComch::doca_comch_producer_cap_get_max_buf_size),
        clamped(producer, devinfo, DocaComch::doca_comch_producer_cap_get_max_num_tasks),
        clamped(consumer, devinfo, DocaComch::doca_comch_consumer_cap_get_max_imm_data_len));
  }

  private static int clamped(boolean supported, long devinfo, Limit limit) {
    return clamp(raw(supported, devinfo, limit));
  }

  private static long bytes(boolean supported, long devinfo, Limit limit) {
    return Integer.toUnsignedLong(raw(supported, devinfo, limit));
  }

  /** A limit that cannot be read is 0: its function is not usable. */
  private static int raw(boolean supported, long devinfo, Limit limit) {
    int[] value = new int[1];
    return supported && limit.ask(devinfo, value) == DocaCode.SUCCESS.value() ? value[0] : 0;
  }

  /** Converts an unsigned number and clamps it to Java's int. */
  static int clamp(int unsigned) {
    return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
  }
}
