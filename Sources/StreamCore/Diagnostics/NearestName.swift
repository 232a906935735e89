extension [String] {
  /// Maximum number of names that a message lists.
  package static var listedCount: Int { 100 }

  /// The names as a message lists them. It names the first ones of a long list: a file may have as many errors as names.
  package var listed: String {
    prefix(Self.listedCount).joined(separator: ", ")
      + (count > Self.listedCount ? " and \(count - Self.listedCount) more" : "")
  }
}

/// Returns the name that was probably meant: it differs only in case, or by few typing errors.
///
/// A typing error is an added, missing, wrong or transposed letter. Names of up to five letters may have one, and one
/// more for every three letters above that. Names of up to three letters begin with the same letter, or have the same
/// letters: `pow` does not mean `now`.
///
/// - Complexity: O(names × length²); names longer than 64 letters, and those after the first 1,000, are ignored.
public func nearestName(to name: String, among names: some Sequence<String>) -> String? {
  var name = name
  name.makeContiguousUTF8()
  // NB: A file with thousands of unknown names needs a search for each, so ASCII is compared without allocations.
  let letters = Array(name.utf8)
  guard !letters.isEmpty, letters.count <= 4 * letterLimit else { return nil }
  let isASCII = letters.allSatisfy { $0 < 0x80 }
  var best: (name: String, slips: Int)?
  for candidate in names.prefix(candidateLimit) {
    let found: Int??
    if isASCII {
      found = candidate.utf8.withContiguousStorageIfAvailable { bytes in
        bytes.allSatisfy { $0 < 0x80 } ? slips(letters, bytes, areEqual: equalButForCase) : slips(name, candidate)
      }
    } else {
      found = slips(name, candidate)
    }
    guard let slips = found ?? slips(name, candidate) else { continue }
    if slips == 0 { return candidate }
    if slips < best?.slips ?? .max { best = (candidate, slips) }
  }
  return best?.name
}

/// Maximum number of names that are compared.
private let candidateLimit = 1_000
/// Maximum length of a compared name, in letters.
private let letterLimit = 64

/// Returns the number of typing errors between two names in any script, 0 if they are equal except for case; nil if
/// there are too many.
private func slips(_ name: String, _ candidate: String) -> Int? {
  if name.lowercased() == candidate.lowercased() { return 0 }
  return slips(Array(name.unicodeScalars), Array(candidate.unicodeScalars)) { _, _ in false }
}

private func equalButForCase(_ first: [UInt8], _ second: UnsafeBufferPointer<UInt8>) -> Bool {
  first.count == second.count
    && zip(first, second).allSatisfy { first, second in
      first == second || (first ^ second == 0x20 && (0x61...0x7A).contains(first | 0x20))
    }
}

private func slips<First: RandomAccessCollection<Element>, Second: RandomAccessCollection<Element>, Element: Equatable>(
  _ wanted: First, _ letters: Second, areEqual: (First, Second) -> Bool
) -> Int? where First.Index == Int, Second.Index == Int {
  guard wanted.count <= letterLimit, letters.count <= letterLimit else { return nil }
  if areEqual(wanted, letters) { return 0 }
  let longest = max(wanted.count, letters.count)
  let allowed = min(max(1, longest / 3), longest - 1)
  guard abs(wanted.count - letters.count) <= allowed else { return nil }
  if longest <= 3, wanted.first != letters.first, wanted.count != letters.count || !isTransposed(wanted, letters) {
    return nil
  }
  let slips = slipCount(wanted, letters)
  // Different names have at least one typing error, whatever their letters are.
  return slips <= allowed ? max(1, slips) : nil
}

/// Whether the first two letters are those of the other name in the other order.
private func isTransposed<Letter: Equatable>(
  _ first: some RandomAccessCollection<Letter>, _ second: some RandomAccessCollection<Letter>
) -> Bool {
  first.prefix(2).elementsEqual(second.prefix(2).reversed())
}

/// Returns the optimal string alignment distance: the Damerau-Levenshtein distance in which no substring is edited
/// twice.
private func slipCount<Letter: Equatable>(
  _ from: some RandomAccessCollection<Letter>, _ to: some RandomAccessCollection<Letter>
) -> Int {
  let width = to.count + 1
  return withUnsafeTemporaryAllocation(of: Int.self, capacity: 3 * width) { rows in
    var (beforeLast, last, current) = (0, width, 2 * width)
    for column in 0..<width { (rows[last + column], rows[beforeLast + column]) = (column, 0) }
    var letterBefore: Letter?
    for (row, letter) in from.enumerated() {
      rows[current] = row + 1
      var otherBefore: Letter?
      for (column, other) in to.enumerated() {
        var slips = min(
          rows[current + column] + 1, rows[last + column + 1] + 1, rows[last + column] + (letter == other ? 0 : 1))
        if column > 0, letter == otherBefore, letterBefore == other {
          slips = min(slips, rows[beforeLast + column - 1] + 1)
        }
        rows[current + column + 1] = slips
        otherBefore = other
      }
      letterBefore = letter
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return rows[last + to.count]
  }
}
