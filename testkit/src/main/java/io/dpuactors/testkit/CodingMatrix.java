package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaCode;
import java.util.Arrays;

/**
 * A matrix of erasure coding over the field of 256 elements with the polynomial 0x11D. Row j has
 * the coefficients of output block j.
 */
final class CodingMatrix {
  private static final int POLYNOMIAL = 0x11D;
  private static final int BLOCKS = 256;
  private static final byte[][] PRODUCTS = new byte[BLOCKS][BLOCKS];

  static {
    for (int a = 0; a < BLOCKS; a++) {
      for (int b = 0; b < BLOCKS; b++) {
        PRODUCTS[a][b] = (byte) multiply(a, b);
      }
    }
  }

  private final byte[][] rows;
  private final boolean isCoding;

  private CodingMatrix(byte[][] rows, boolean isCoding) {
    this.rows = rows;
    this.isCoding = isCoding;
  }

  private static int multiply(int a, int b) {
    int product = 0;
    for (int shifted = a, rest = b; rest != 0; rest >>>= 1) {
      product ^= (rest & 1) == 0 ? 0 : shifted;
      shifted = shifted << 1 ^ (shifted < 0x80 ? 0 : POLYNOMIAL);
    }
    return product;
  }

  private static int product(int a, int b) {
    return PRODUCTS[a & 0xff][b & 0xff] & 0xff;
  }

  private static int inverse(int a) {
    for (int b = 1; b < BLOCKS; b++) {
      if (product(a, b) == 1) {
        return b;
      }
    }
    throw new TaskFailure(DocaCode.INVALID_VALUE);
  }

  private static CodingMatrix coding(long data, long redundancy) {
    check(data > 0 && redundancy > 0 && data < BLOCKS && redundancy <= BLOCKS - data);
    return new CodingMatrix(new byte[(int) redundancy][(int) data], true);
  }

  /** Coefficient of data block i in redundancy block j: 1 / (i + (j + data)). */
  static CodingMatrix cauchy(long data, long redundancy) {
    CodingMatrix matrix = coding(data, redundancy);
    for (int j = 0; j < redundancy; j++) {
      for (int i = 0; i < data; i++) {
        matrix.rows[j][i] = (byte) inverse(i ^ (j + (int) data));
      }
    }
    return matrix;
  }

  /** Coefficient of data block i in redundancy block j: (i + 1)^j. */
  static CodingMatrix vandermonde(long data, long redundancy) {
    CodingMatrix matrix = coding(data, redundancy);
    for (int i = 0; i < data; i++) {
      int power = 1;
      for (int j = 0; j < redundancy; j++) {
        matrix.rows[j][i] = (byte) power;
        power = product(power, i + 1);
      }
    }
    return matrix;
  }

  /** Coefficient of data block i in redundancy block j: at index i * redundancy + j. */
  static CodingMatrix custom(byte[] coefficients, long data, long redundancy) {
    CodingMatrix matrix = coding(data, redundancy);
    for (int i = 0; i < data; i++) {
      for (int j = 0; j < redundancy; j++) {
        matrix.rows[j][i] = coefficients[i * (int) redundancy + j];
      }
    }
    return matrix;
  }

  /** Returns the matrix from the first available blocks to the missing ones. */
  CodingMatrix recovery(int[] missing) {
    int data = rows[0].length;
    check(isCoding && missing.length > 0 && missing.length <= rows.length);
    check(isAscending(missing, data + rows.length));
    byte[][] available = new byte[data][];
    for (int block = 0, next = 0; next < data; block++) {
      if (Arrays.binarySearch(missing, block) < 0) {
        available[next++] = expressed(block);
      }
    }
    byte[][] toData = inverted(available);
    byte[][] recovered = new byte[missing.length][];
    for (int j = 0; j < missing.length; j++) {
      recovered[j] = combined(expressed(missing[j]), toData);
    }
    return new CodingMatrix(recovered, false);
  }

  /** Returns the matrix from old and new data blocks and old redundancy blocks to new ones. */
  CodingMatrix change(int[] changed) {
    check(isCoding && changed.length > 0 && isAscending(changed, rows[0].length));
    byte[][] updated = new byte[rows.length][2 * changed.length + rows.length];
    for (int j = 0; j < rows.length; j++) {
      for (int i = 0; i < changed.length; i++) {
        updated[j][2 * i] = rows[j][changed[i]];
        updated[j][2 * i + 1] = rows[j][changed[i]];
      }
      updated[j][2 * changed.length + j] = 1;
    }
    return new CodingMatrix(updated, false);
  }

  private static boolean isAscending(int[] indices, int end) {
    int before = -1;
    for (int index : indices) {
      if (index <= before || index >= end) {
        return false;
      }
      before = index;
    }
    return true;
  }

  /** Returns the coefficients that express a block by the data blocks. */
  private byte[] expressed(int block) {
    int data = rows[0].length;
    if (block >= data) {
      return rows[block - data].clone();
    }
    byte[] row = new byte[data];
    row[block] = 1;
    return row;
  }

  /** Inverts a square matrix by Gauss-Jordan elimination. */
  private static byte[][] inverted(byte[][] matrix) {
    int n = matrix.length;
    byte[][] inverse = new byte[n][n];
    for (int i = 0; i < n; i++) {
      inverse[i][i] = 1;
    }
    for (int column = 0; column < n; column++) {
      int pivot = column;
      while (pivot < n && matrix[pivot][column] == 0) {
        pivot++;
      }
      check(pivot < n);
      swap(matrix, column, pivot);
      swap(inverse, column, pivot);
      int factor = inverse(matrix[column][column]);
      scale(matrix[column], factor);
      scale(inverse[column], factor);
      for (int row = 0; row < n; row++) {
        int times = row == column ? 0 : matrix[row][column];
        add(matrix[row], times, matrix[column]);
        add(inverse[row], times, inverse[column]);
      }
    }
    return inverse;
  }

  private static void swap(byte[][] rows, int a, int b) {
    byte[] row = rows[a];
    rows[a] = rows[b];
    rows[b] = row;
  }

  private static void scale(byte[] row, int factor) {
    for (int i = 0; i < row.length; i++) {
      row[i] = (byte) product(row[i], factor);
    }
  }

  private static void add(byte[] row, int times, byte[] added) {
    for (int i = 0; i < row.length; i++) {
      row[i] ^= (byte) product(times, added[i]);
    }
  }

  private static byte[] combined(byte[] row, byte[][] matrix) {
    byte[] sum = new byte[row.length];
    for (int i = 0; i < row.length; i++) {
      add(sum, row[i], matrix[i]);
    }
    return sum;
  }

  /** Returns the output blocks of the input blocks. */
  byte[] encode(byte[] input) {
    int inputs = rows[0].length;
    int blockBytes = input.length / inputs;
    byte[] output = new byte[blockBytes * rows.length];
    for (int j = 0; j < rows.length; j++) {
      for (int i = 0; i < inputs; i++) {
        for (int k = 0; k < blockBytes; k++) {
          output[j * blockBytes + k] ^= (byte) product(rows[j][i], input[i * blockBytes + k]);
        }
      }
    }
    return output;
  }

  private static void check(boolean isLegal) {
    if (!isLegal) {
      throw new TaskFailure(DocaCode.INVALID_VALUE);
    }
  }
}
