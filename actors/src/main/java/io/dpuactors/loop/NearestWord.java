package io.dpuactors.loop;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the dotted word that a misspelled one probably means. */
final class NearestWord {
  private NearestWord() {}

  /**
   * Returns the word with the smallest edit distance, if that is at most a third of the letters.
   * Otherwise returns the only word with the same last part, if there is one.
   */
  static Optional<String> to(String mistaken, Collection<String> words) {
    Optional<String> nearest =
        words.stream().min(Comparator.comparingInt(word -> distance(mistaken, word)));
    if (nearest.isPresent() && distance(mistaken, nearest.get()) <= mistaken.length() / 3) {
      return nearest;
    }
    List<String> same = words.stream().filter(word -> last(word).equals(last(mistaken))).toList();
    return same.size() == 1 ? Optional.of(same.get(0)) : Optional.empty();
  }

  private static String last(String word) {
    return word.substring(word.lastIndexOf('.') + 1);
  }

  /** Returns the number of letters to insert, delete or replace (Levenshtein distance). */
  private static int distance(String a, String b) {
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[b.length()];
  }
}
