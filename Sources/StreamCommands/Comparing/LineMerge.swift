internal import StreamKit

/// A three-way merge of texts by lines, for versions that are not stream files.
///
/// Lines that both sides changed differently are put between conflict markers, as git does. The lines of each side are
/// matched with those of the base by patience diff: common beginnings and ends first, then lines that occur once on
/// both sides.
struct LineMerge {
  private(set) var bytes: [UInt8] = []
  /// The number of conflicts between markers.
  private(set) var conflictCount = 0
  private let side: Merge.Side?

  private typealias Line = ArraySlice<UInt8>

  /// - Parameter side: The version to use in conflicts; nil puts markers around both.
  init(base: [UInt8], ours: [UInt8], theirs: [UInt8], favoring side: Merge.Side? = nil) {
    self.side = side
    let (old, mine, other) = (Self.lines(of: base), Self.lines(of: ours), Self.lines(of: theirs))
    let (inMine, inOther) = (LineMatches(old, mine).partners, LineMatches(old, other).partners)
    var (start, mineStart, otherStart) = (0, 0, 0)
    for (number, (mineLine, otherLine)) in zip(inMine, inOther).enumerated() {
      // A line that is on both sides separates the changes before it from those behind it.
      guard let mineLine, let otherLine else { continue }
      append(old[start..<number], mine[mineStart..<mineLine], other[otherStart..<otherLine])
      bytes += old[number]
      (start, mineStart, otherStart) = (number + 1, mineLine + 1, otherLine + 1)
    }
    append(old[start...], mine[mineStart...], other[otherStart...])
  }

  /// Appends the lines between two that are on both sides.
  private mutating func append(_ base: ArraySlice<Line>, _ ours: ArraySlice<Line>, _ theirs: ArraySlice<Line>) {
    if theirs == base || ours == theirs { return append(ours) }
    if ours == base { return append(theirs) }
    switch side {
    case .ours: append(ours)
    case .theirs: append(theirs)
    case nil: appendConflict(ours, theirs)
    }
  }

  private mutating func appendConflict(_ ours: ArraySlice<Line>, _ theirs: ArraySlice<Line>) {
    let start = zip(ours, theirs).prefix { $0 == $1 }.count
    let (mine, other) = (ours.dropFirst(start), theirs.dropFirst(start))
    let end = zip(mine.reversed(), other.reversed()).prefix { $0 == $1 }.count
    conflictCount += 1
    append(ours.prefix(start))
    append(marker: "<<<<<<< ours")
    append(mine.dropLast(end))
    append(marker: "=======")
    append(other.dropLast(end))
    append(marker: ">>>>>>> theirs")
    append(mine.suffix(end))
  }

  private mutating func append(_ lines: ArraySlice<Line>) {
    for line in lines { bytes += line }
  }

  /// Appends a marker as a separate line, also after a last line without a line break.
  private mutating func append(marker: String) {
    if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
    bytes += Array("\(marker)\n".utf8)
  }

  /// The lines, each with its line break.
  private static func lines(of bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      lines.append(bytes[start..<end])
      start = end
    }
    return lines
  }
}

/// The common lines of two texts, in the same order.
private struct LineMatches {
  /// For each line of the first text the number of its partner in the second; nil if it has none.
  private(set) var partners: [Int?]
  private let first: [Int]
  private let second: [Int]

  init(_ first: [ArraySlice<UInt8>], _ second: [ArraySlice<UInt8>]) {
    // Equal lines have equal numbers.
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    func number(of line: ArraySlice<UInt8>) -> Int {
      if let known = numbers[line] { return known }
      let next = numbers.count
      numbers[line] = next
      return next
    }
    self.first = first.map(number)
    self.second = second.map(number)
    partners = Array(repeating: nil, count: first.count)
    match()
  }

  private mutating func match() {
    var waiting = [(0..<first.count, 0..<second.count)]
    while var (a, b) = waiting.popLast() {
      while !a.isEmpty, !b.isEmpty, first[a.lowerBound] == second[b.lowerBound] {
        partners[a.lowerBound] = b.lowerBound
        (a, b) = (a.dropFirst(), b.dropFirst())
      }
      while !a.isEmpty, !b.isEmpty, first[a.upperBound - 1] == second[b.upperBound - 1] {
        partners[a.upperBound - 1] = b.upperBound - 1
        (a, b) = (a.dropLast(), b.dropLast())
      }
      if a.isEmpty || b.isEmpty { continue }
      let anchors = anchors(a, b)
      if anchors.isEmpty { continue }
      for (line, partner) in anchors {
        partners[line] = partner
        waiting.append((a.lowerBound..<line, b.lowerBound..<partner))
        (a, b) = (line + 1..<a.upperBound, partner + 1..<b.upperBound)
      }
      waiting.append((a, b))
    }
  }

  /// The longest increasing sequence of lines that occur once in both ranges.
  private func anchors(_ a: Range<Int>, _ b: Range<Int>) -> [(Int, Int)] {
    let places = Self.unique(in: second, b)
    let pairs = Self.unique(in: first, a).compactMap { number, line in places[number].map { (line, $0) } }.sorted {
      $0.0 < $1.0
    }
    return IncreasingRun.longest(pairs.map(\.1)).map { pairs[$0] }
  }

  /// The places of the lines that occur once in a range.
  private static func unique(in lines: [Int], _ range: Range<Int>) -> [Int: Int] {
    var places: [Int: Int?] = [:]
    for place in range {
      let isFirst = !places.keys.contains(lines[place])
      places.updateValue(isFirst ? place : nil, forKey: lines[place])
    }
    return places.compactMapValues(\.self)
  }
}
