package io.dpuactors.bridge.jna;

import static io.dpuactors.bridge.DocaException.check;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Pointer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.TaskLibrary;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests each kind of argument and result with functions of each group of the software DPU.
 * Functions that main code does not use are called by name.
 */
class BindingsTest {
  private static final String DOCA = "doca";
  private static final int PAGE = 4096;
  private static final int NET = 2;
  private static final int LOG_LEVEL_TRACE = 70;
  private static final int LOCAL_READ_WRITE = 1;

  private final long[] pointer = new long[1];
  private final int[] number = new int[1];

  @BeforeAll
  static void load() {
    DocaLibrary library = DocaLibrary.load(LibraryChoice.SOFTDPU);
    NamedFunctions.bind(DOCA, library.paths().get(0));
  }

  @ParameterizedTest
  @EnumSource
  void textRoundTrips(DocaCode code) {
    assertThat(text("error_get_name", code.value())).isEqualTo(code.docaName());
    assertThat(text("error_get_descr", code.value())).isNotBlank();
  }

  @Test
  void versionIsThatOfTheTables() {
    assertThat(DocaCommon.doca_version_runtime()).startsWith("3.0.");
  }

  @Test
  void textAndNumbersGoIn() {
    int[] source = new int[1];
    check("register", code("log_register_source", "bindings", source), "");
    // No backend logs this level: the test checks that all seven arguments arrive in order.
    check("log", log(LOG_LEVEL_TRACE, source[0]), "");
    assertThat(log(LOG_LEVEL_TRACE + 1, source[0])).isEqualTo(DocaCode.INVALID_VALUE.value());
    check("unregister", code("log_unregister_source", source[0]), "");
  }

  private static int log(int level, int source) {
    return code("log", level, source, "f.c", 1, "f", "%s", "a line");
  }

  private static int code(String function, Object... arguments) {
    return NamedFunctions.code(DOCA, function, arguments);
  }

  private static String text(String function, Object... arguments) {
    return new Pointer(NamedFunctions.pointer(DOCA, function, arguments)).getString(0);
  }

  @Test
  void memoryIsFilled() {
    withDevice(
        dev -> {
          byte[] address = new byte[13];
          byte[] equal = new byte[1];
          long devinfo = DocaCommon.doca_dev_as_devinfo(dev);
          check("get", DocaCommon.doca_devinfo_get_pci_addr_str(devinfo, address), "");
          String text = new String(address, 0, 12, StandardCharsets.US_ASCII);
          check("is", code("devinfo_is_equal_pci_addr", devinfo, text, equal), "");
          assertThat(equal[0]).isEqualTo((byte) 1);
          short[] vhca = {-1};
          check("vhca", code("devinfo_get_vhca_id", devinfo, vhca), "");
          assertThat(vhca[0]).isNotNegative();
        });
  }

  @Test
  void allBitsOfTheUserDataRoundTrip() {
    long userData = 0x8123_4567_89ab_cdefL;
    withMap(
        (map, memory) -> {
          check("set", code("mmap_set_user_data", map, userData), "");
          check("get", code("mmap_get_user_data", map, pointer), "");
          assertThat(pointer[0]).isEqualTo(userData);
        });
  }

  @Test
  void progressAnswersAByte() {
    check("create", DocaCommon.doca_pe_create(pointer), "");
    long pe = pointer[0];
    assertThat((byte) code("pe_progress", pe)).isZero();
    check("handle", code("pe_get_notification_handle", pe, number), "");
    assertThat(number[0]).isNotNegative();
    check("destroy", DocaCommon.doca_pe_destroy(pe), "");
  }

  @ParameterizedTest
  @EnumSource
  void contextOfALibrary(TaskLibrary library) {
    withDevice(
        dev -> {
          String prefix = library.prefix();
          check("create", NamedFunctions.code(prefix, "create", dev, pointer), "");
          long object = pointer[0];
          long context = NamedFunctions.pointer(prefix, "as_ctx", object);
          number[0] = -1;
          check("state", DocaCommon.doca_ctx_get_state(context, number), "");
          assertThat(number[0]).isZero();
          assertThat(DocaCommon.doca_ctx_start(context)).isEqualTo(DocaCode.NOT_CONNECTED.value());
          check("destroy", NamedFunctions.code(prefix, "destroy", object), "");
        });
  }

  @Test
  void contextOfAServer() {
    withDevice(
        dev -> {
          long devinfo = DocaCommon.doca_dev_as_devinfo(dev);
          check("can", DocaComch.doca_comch_cap_server_is_supported(devinfo), "");
          check("list", DocaCommon.doca_devinfo_rep_create_list(dev, NET, pointer, number), "");
          long list = pointer[0];
          long first = PointerArray.copy(list, number[0])[0];
          check("open", DocaCommon.doca_dev_rep_open(first, pointer), "");
          long rep = pointer[0];
          check("free", DocaCommon.doca_devinfo_rep_destroy_list(list), "");
          check("create", DocaComch.doca_comch_server_create(dev, rep, "bindings", pointer), "");
          long server = pointer[0];
          check("set", DocaComch.doca_comch_server_set_max_msg_size(server, 123), "");
          check("get", DocaComch.doca_comch_server_get_max_msg_size(server, number), "");
          assertThat(number[0]).isEqualTo(123);
          check(
              "get",
              NamedFunctions.code("doca_comch", "server_get_device_rep", server, pointer),
              "");
          assertThat(pointer[0]).isEqualTo(rep);
          long context = DocaComch.doca_comch_server_as_ctx(server);
          assertThat(DocaCommon.doca_ctx_start(context)).isEqualTo(DocaCode.NOT_CONNECTED.value());
          check("destroy", DocaComch.doca_comch_server_destroy(server), "");
          check("close", DocaCommon.doca_dev_rep_close(rep), "");
        });
  }

  @Test
  void aBufferHasItsWindowAndContent() {
    withMap(
        (map, memory) -> {
          check("permit", DocaCommon.doca_mmap_set_permissions(map, LOCAL_READ_WRITE), "");
          check("start", DocaCommon.doca_mmap_start(map), "");
          check("create", DocaCommon.doca_buf_inventory_create(2, pointer), "");
          long inventory = pointer[0];
          check("start", DocaCommon.doca_buf_inventory_start(inventory), "");

          long[] byAddr = buffer(inventory, map, memory + 8, 64, 0);
          long[] byData = buffer(inventory, map, memory + 16, 32, 32);
          assertBuffer(byAddr[0], memory + 8, 64, 0);
          assertBuffer(byData[0], memory + 16, 32, 32);

          short[] references = new short[1];
          check("dec", DocaCommon.doca_buf_dec_refcount(byAddr[0], references), "");
          assertThat(references[0]).isEqualTo((short) 1);
          check("dec", DocaCommon.doca_buf_dec_refcount(byData[0], null), "");
          check("destroy", DocaCommon.doca_buf_inventory_destroy(inventory), "");
        });
  }

  private static long[] buffer(long inventory, long map, long address, long length, long content) {
    long[] buf = new long[1];
    check(
        "get",
        DocaCommon.doca_buf_inventory_buf_get_by_args(
            inventory, map, address, length, address, content, buf),
        "");
    return buf;
  }

  private void assertBuffer(long buf, long head, long length, long dataLength) {
    check("head", code("buf_get_head", buf, pointer), "");
    assertThat(pointer[0]).isEqualTo(head);
    check("len", code("buf_get_len", buf, pointer), "");
    assertThat(pointer[0]).isEqualTo(length);
    check("data", code("buf_get_data", buf, pointer), "");
    assertThat(pointer[0]).isEqualTo(head);
    check("data len", DocaCommon.doca_buf_get_data_len(buf, pointer), "");
    assertThat(pointer[0]).isEqualTo(dataLength);
  }

  private interface OnDevice {
    void run(long dev);
  }

  private interface OnMap {
    void run(long map, long memory);
  }

  private void withDevice(OnDevice test) {
    check("list", DocaCommon.doca_devinfo_create_list(pointer, number), "");
    long list = pointer[0];
    long first = PointerArray.copy(list, number[0])[0];
    check("open", DocaCommon.doca_dev_open(first, pointer), "");
    long dev = pointer[0];
    check("free", DocaCommon.doca_devinfo_destroy_list(list), "");
    test.run(dev);
    check("close", DocaCommon.doca_dev_close(dev), "");
  }

  private void withMap(OnMap test) {
    withDevice(
        dev -> {
          long memory = PageMemory.allocate(PAGE);
          check("create", DocaCommon.doca_mmap_create(pointer), "");
          long map = pointer[0];
          check("add", DocaCommon.doca_mmap_add_dev(map, dev), "");
          check("range", DocaCommon.doca_mmap_set_memrange(map, memory, PAGE), "");
          test.run(map, memory);
          check("destroy", DocaCommon.doca_mmap_destroy(map), "");
          PageMemory.free(memory, PAGE);
        });
  }
}
