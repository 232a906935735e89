/// The name that was probably meant: equal but for upper and lower case, or reached by few slips of the finger.
///
/// A slip is a letter too many, too few, wrong, or swapped with its neighbour. One slip is forgiven in names of up to
/// five letters, and one more for every three letters above that.
///
/// - Complexity: O(names × length²); names above 64 letters are not looked at.
public func nearestName(to name: String, among names: some Sequence<String>) -> String? {
  let wanted = Array(name.unicodeScalars)
  let folded = name.lowercased()
  guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
  var best: (name: String, slips: Int)?
  for candidate in names {
    if candidate.lowercased() == folded { return candidate }
    let letters = Array(candidate.unicodeScalars)
    let longest = max(wanted.count, letters.count)
    let allowed = min(max(1, longest / 3), longest - 1)
    guard letters.count <= 64, abs(wanted.count - letters.count) <= allowed else { continue }
    let slips = slipCount(wanted, letters)
    if slips <= allowed, slips < best?.slips ?? .max { best = (candidate, slips) }
  }
  return best?.name
}

/// The Damerau-Levenshtein distance in which no piece is edited twice.
private func slipCount(_ from: [Unicode.Scalar], _ to: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...to.count)
  for row in from.indices {
    var current = [row + 1]
    for column in to.indices {
      var slips = min(current[column] + 1, last[column + 1] + 1, last[column] + (from[row] == to[column] ? 0 : 1))
      if row > 0, column > 0, from[row] == to[column - 1], from[row - 1] == to[column] {
        slips = min(slips, beforeLast[column - 1] + 1)
      }
      current.append(slips)
    }
    beforeLast = last
    last = current
  }
  return last[to.count]
}
