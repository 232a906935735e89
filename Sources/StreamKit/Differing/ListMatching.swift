internal import StreamCore

/// Matches the elements of an old array with those of a new one in steps; each step leaves the matches of earlier steps
/// unchanged.
struct ListMatching {
  private let old: [Value]
  private let new: [Value]
  private let role: StreamRole
  /// A number for each value: elements that are equal have the same.
  private let oldClasses: [Int]
  private let newClasses: [Int]
  /// For each place in the new list that of the same element in the old one.
  private(set) var partner: [Int?]
  private var isTaken: [Bool]

  /// Maximum number of pairs compared individually; beyond it, equal elements are matched by counting.
  private static let equalityLimit = 1_000_000
  private static let distanceLimit = 40_000

  init(_ old: [Value], _ new: [Value], role: StreamRole) {
    self.old = old
    self.new = new
    self.role = role
    var classes: [Value: Int] = [:]
    func number(_ value: Value) -> Int {
      if let known = classes[value] { return known }
      let next = classes.count
      classes[value] = next
      return next
    }
    oldClasses = old.map(number)
    newClasses = new.map(number)
    partner = Array(repeating: nil, count: new.count)
    isTaken = Array(repeating: false, count: old.count)
  }

  private mutating func match(_ oldPlace: Int, _ newPlace: Int) {
    partner[newPlace] = oldPlace
    isTaken[oldPlace] = true
  }

  private var freeOld: [Int] { old.indices.filter { !isTaken[$0] } }
  private var freeNew: [Int] { new.indices.filter { partner[$0] == nil } }

  /// Elements of the same identifier are the same, unless there are several of them.
  mutating func matchIdentifiers() {
    func places(_ values: [Value]) -> [String: [Int]] {
      var places: [String: [Int]] = [:]
      for (place, value) in values.enumerated() {
        if let name = role.identifier(of: value) { places[name, default: []].append(place) }
      }
      return places
    }
    let oldPlaces = places(old)
    for (name, found) in places(new) {
      guard found.count == 1, let known = oldPlaces[name], known.count == 1 else { continue }
      match(known[0], found[0])
    }
  }

  /// Matches as many equal elements as possible without changing their order.
  mutating func matchEqualInOrder() {
    var (oldRest, newRest) = (freeOld[...], freeNew[...])
    while let first = oldRest.first, let second = newRest.first, oldClasses[first] == newClasses[second] {
      match(first, second)
      (oldRest, newRest) = (oldRest.dropFirst(), newRest.dropFirst())
    }
    while let first = oldRest.last, let second = newRest.last, oldClasses[first] == newClasses[second] {
      match(first, second)
      (oldRest, newRest) = (oldRest.dropLast(), newRest.dropLast())
    }
    let (rows, columns) = (Array(oldRest), Array(newRest))
    guard !rows.isEmpty, !columns.isEmpty else { return }
    if rows.count * columns.count > Self.equalityLimit { return matchCounted(rows, columns) }
    // The longest common subsequence of what is left, from the back so that it is read from the front.
    let width = columns.count + 1
    var lengths = [Int32](repeating: 0, count: (rows.count + 1) * width)
    for row in rows.indices.reversed() {
      for column in columns.indices.reversed() {
        lengths[row * width + column] =
          oldClasses[rows[row]] == newClasses[columns[column]]
          ? lengths[(row + 1) * width + column + 1] + 1
          : max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
      }
    }
    var (row, column) = (0, 0)
    while row < rows.count, column < columns.count {
      if oldClasses[rows[row]] == newClasses[columns[column]] {
        match(rows[row], columns[column])
        row += 1
        column += 1
      } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
        row += 1
      } else {
        column += 1
      }
    }
  }

  /// For long arrays: matches the first of its kind with the first, the second with the second, and keeps the longest
  /// run in order.
  private mutating func matchCounted(_ rows: [Int], _ columns: [Int]) {
    let pairs = counted(rows, columns)
    for place in IncreasingRun.longest(pairs.map(\.old)) { match(pairs[place].old, pairs[place].new) }
  }

  /// Equal elements that have changed their order.
  mutating func matchEqual() {
    for pair in counted(freeOld, freeNew) { match(pair.old, pair.new) }
  }

  private func counted(_ rows: [Int], _ columns: [Int]) -> [ListAlignment.Pair] {
    var places: [Int: ArraySlice<Int>] = [:]
    for row in rows { places[oldClasses[row], default: []].append(row) }
    return columns.compactMap { column in
      places[newClasses[column]]?.popFirst().map { ListAlignment.Pair(old: $0, new: column) }
    }
  }

  /// Elements that have changed, between those that are matched already.
  mutating func matchCheapest() {
    var gaps: [(rows: [Int], columns: [Int])] = []
    let anchors = IncreasingRun.longest(new.indices.compactMap { partner[$0] })
    let pairs = new.indices.compactMap { index in partner[index].map { ListAlignment.Pair(old: $0, new: index) } }
    var (row, column) = (0, 0)
    for place in anchors + [-1] {
      let end = place < 0 ? ListAlignment.Pair(old: old.count, new: new.count) : pairs[place]
      gaps.append(((row..<end.old).filter { !isTaken[$0] }, (column..<end.new).filter { partner[$0] == nil }))
      (row, column) = (end.old + 1, end.new + 1)
    }
    for gap in gaps where !gap.rows.isEmpty && !gap.columns.isEmpty {
      if gap.rows.count * gap.columns.count > Self.distanceLimit {
        for (row, column) in zip(gap.rows, gap.columns) { match(row, column) }
      } else {
        for pair in cheapest(gap.rows, gap.columns) { match(pair.old, pair.new) }
      }
    }
  }

  /// Elements of one kind that have changed, though others have moved past them: as long as they themselves stay in
  /// order.
  mutating func matchRest() {
    let (rows, columns) = (freeOld, freeNew)
    guard !rows.isEmpty, !columns.isEmpty, rows.count * columns.count <= Self.distanceLimit else { return }
    let found = cheapest(rows, columns, below: StreamRole.replaced)
    let known = new.indices.compactMap { index in partner[index].map { ListAlignment.Pair(old: $0, new: index) } }
    let all = (known + found).sorted { $0.new < $1.new }
    let staying = Set(IncreasingRun.longest(all.map(\.old)).map { all[$0] })
    for pair in found where staying.contains(pair) { match(pair.old, pair.new) }
  }

  /// The pairs of the cheapest edit, in order.
  ///
  /// - Parameter limit: pairs that are further from each other are none.
  private func cheapest(
    _ rows: [Int], _ columns: [Int], below limit: Double = .infinity
  ) -> [ListAlignment.Pair] {
    let width = columns.count + 1
    var costs = [Double](repeating: 0, count: (rows.count + 1) * width)
    var pairing = [Double](repeating: .infinity, count: rows.count * columns.count)
    for row in rows.indices { costs[(row + 1) * width] = Double(row + 1) }
    for column in columns.indices { costs[column + 1] = Double(column + 1) }
    for row in rows.indices {
      for column in columns.indices {
        let found = role.distance(old[rows[row]], new[columns[column]])
        let distance = found < limit ? found : .infinity
        pairing[row * columns.count + column] = distance
        costs[(row + 1) * width + column + 1] = min(
          costs[row * width + column] + distance, costs[row * width + column + 1] + 1,
          costs[(row + 1) * width + column] + 1)
      }
    }
    var pairs: [ListAlignment.Pair] = []
    var (row, column) = (rows.count, columns.count)
    while row > 0, column > 0 {
      let cost = costs[row * width + column]
      let distance = pairing[(row - 1) * columns.count + column - 1]
      if cost == costs[(row - 1) * width + column - 1] + distance {
        pairs.append(ListAlignment.Pair(old: rows[row - 1], new: columns[column - 1]))
        row -= 1
        column -= 1
      } else if cost == costs[(row - 1) * width + column] + 1 {
        row -= 1
      } else {
        column -= 1
      }
    }
    return pairs
  }
}
