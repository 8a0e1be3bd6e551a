package io.dpuactors.file;

import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The matrices for the lost blocks of a file. The cache keeps those that were used last, because
 * most stripes have lost the same blocks. Thread: the job's.
 */
final class RecoveryMatrices {
  /** Number of matrices to keep, in addition to those that blocks use. */
  static final int KEPT = 16;

  private record Lost(List<Integer> parts, Matrix matrix) {}

  private final Matrices matrices;
  private final Map<List<Integer>, Lost> kept = new LinkedHashMap<>(KEPT, 0.75f, true);
  private final Map<Long, Lost> used = new HashMap<>();
  private @Nullable Matrix coding;

  RecoveryMatrices(Matrices matrices) {
    this.matrices = matrices;
  }

  /** Creates the coding matrix of the file. */
  void open(int data, int parity) throws FileException {
    coding = matrices.create(new Definition.Cauchy(data, parity));
  }

  /**
   * Selects the matrix of a block, until {@link #release}.
   *
   * @param parts ascending indices of the parts whose blocks are lost
   */
  void use(long block, List<Integer> parts) throws FileException {
    Lost lost = kept.get(parts);
    if (lost == null) {
      makeRoom();
      Matrix base = Objects.requireNonNull(coding, "open creates it");
      lost = new Lost(parts, matrices.create(new Definition.Recovery(base, parts)));
      kept.put(parts, lost);
    }
    used.put(block, lost);
  }

  private void makeRoom() {
    Iterator<Lost> eldest = kept.values().iterator();
    while (kept.size() >= KEPT && eldest.hasNext()) {
      Lost lost = eldest.next();
      if (!used.containsValue(lost)) {
        eldest.remove();
        matrices.destroy(lost.matrix);
      }
    }
  }

  /** Returns the matrix of a block. */
  Matrix of(long block) {
    return Objects.requireNonNull(used.get(block), "use selects it").matrix;
  }

  /** Releases the matrix of a block. Returns its lost parts; empty for a block without matrix. */
  List<Integer> release(long block) {
    Lost lost = used.remove(block);
    return lost == null ? List.of() : lost.parts;
  }
}
