package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which kinds of tasks a node offers with the devices of a card. */
class NodeDevicesTest {
  @ParameterizedTest
  @CsvSource({
    "full, 'COMPRESS_DEFLATE,DECOMPRESS_DEFLATE'",
    "bluefield2, 'COMPRESS_DEFLATE,DECOMPRESS_DEFLATE'",
    "bluefield3, DECOMPRESS_DEFLATE"
  })
  void aNodeOffersTheKindsOfItsCard(String card, String kinds) {
    DocaLibrary library = DocaLibrary.load(LibraryChoice.SOFTDPU);
    SoftDpu softDpu = SoftDpu.of(library);
    softDpu.profile(card);
    try {
      Set<TaskKind> offered = NodeDevices.choose(library, List.of()).kinds();
      assertThat(offered).extracting(TaskKind::name).containsExactlyInAnyOrder(kinds.split(","));
    } finally {
      softDpu.profile("full");
    }
  }
}
