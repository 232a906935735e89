/// What a line of a file is expected to look like: a record with these keys, and with these within its values.
///
/// It is an array of steps. Each passes what stands before a plain value (`{"key":`, or `]},"key":`), and then the value.
///
/// `@unchecked`: what the pointers lead to is written before anybody else sees it, and never after.
final class JSONLineLayout: RowLayout, @unchecked Sendable {
  struct Step {
    /// The words of what stands before the value, from here on in `words`.
    let firstWord: Int
    let wordCount: Int
    let byteCount: Int
    /// The first of those words.
    let first: Word
    /// The slot of the record into which the value is read, or -1.
    let slot: Int
    /// The cell of a row into which the value is read, or -1.
    let cell: Int
    /// What the value of that cell has to be; `missing` for anything.
    let kind: FieldCell.Kind
  }

  /// Where a space stands between the parts of a line.
  enum Spacing: CaseIterable {
    case none
    /// After commas and colons, as Python writes.
    case both
    case afterColons, afterCommas
  }

  /// Eight bytes, and which of them count.
  struct Word {
    let bytes: UInt64
    let mask: UInt64
  }

  let shape: Shape
  let count: Int
  /// As many as `count`, and one more for what stands behind the last value.
  let steps: UnsafeMutablePointer<Step>
  let words: UnsafeMutablePointer<Word>
  /// Whether there is no white space, as the writer has it.
  let isCompact: Bool
  /// Whether it tells where the fields of rows are, and no more.
  let isForRows: Bool
  /// Whether such records have all fields that rows have to have.
  let fitsRows: Bool
  /// The cells of rows for which such records have no field.
  private let missingCells: [Int]
  private let missingCount: Int

  /// The layout of records like this one; nil where it is not foreseen.
  ///
  /// - Parameters:
  ///   - rows: the fields of rows.
  ///   - spacing: the white space between its parts.
  ///   - isForRows: whether it is made for rows alone. Default no.
  init?(
    _ record: ValueMap, rows: RowFields = RowFields([]), _ spacing: Spacing, isForRows: Bool = false
  ) {
    self.isForRows = isForRows
    var plan = JSONLinePlan(spacing, rows)
    isCompact = spacing == .none
    guard plan.add(record, isForRows: isForRows) else { return nil }
    shape = record.shape
    let read = Set(plan.steps.map(\.cell))
    missingCells = rows.fields.indices.filter { !read.contains($0) }
    missingCount = missingCells.count
    fitsRows = missingCells.allSatisfy { rows.fields[$0].kind == nil }
    count = plan.steps.count - 1
    steps = .allocate(capacity: plan.steps.count)
    words = .allocate(capacity: plan.words.count)
    for (place, step) in plan.steps.enumerated() { (steps + place).initialize(to: step) }
    for (place, word) in plan.words.enumerated() { (words + place).initialize(to: word) }
  }

  // Both are trivial: nothing to deinitialize.
  deinit {
    steps.deallocate()
    words.deallocate()
  }

  /// A record whose fields are to be filled in.
  var blank: ValueMap { ValueMap(shape: shape) { _ in .null } }

  /// Walks along a line.
  ///
  /// - Parameters:
  ///   - start: The start of a line, at whose end is a control character.
  ///   - take: Takes the value of a step; returns the place after it, or nil to stop.
  /// - Returns: The place after the last expected byte; nil if the line does not have this layout.
  @inline(__always)
  func walk(
    _ start: JSONLineScanner.Place, _ take: (UnsafePointer<Step>, JSONLineScanner.Place) -> JSONLineScanner.Place?
  ) -> JSONLineScanner.Place? {
    var place = start
    var step = UnsafePointer(steps)
    let last = step + count
    while step < last {
      guard let value = JSONLineScanner.pass(step, words, place), let next = take(step, value) else { return nil }
      place = next
      step += 1
    }
    return JSONLineScanner.pass(step, words, place)
  }

  /// Reads a line into a row; false if it does not have this layout.
  ///
  /// - Parameter line: The line with its line break.
  @inline(__always)
  private func readRow(_ line: PaddedBytes, into cells: UnsafeMutablePointer<FieldCell>) -> Bool {
    let end = walk(line.base) { step, place in
      let number = step.pointee.cell
      if number < 0 { return JSONLineScanner.skip(place) }
      let cell = cells + number
      guard let next = JSONLineScanner.read(place, of: line.base, into: cell) else { return nil }
      let wanted = step.pointee.kind.rawValue
      return wanted == FieldCell.Kind.missing.rawValue || wanted == cell.pointee.kind.rawValue ? next : nil
    }
    guard let end, JSONLineScanner.isBreak(end) else { return false }
    if missingCount > 0 { markMissing(in: cells) }
    return true
  }

  func read(_ text: PaddedBytes, into batch: RowBatch, longest: Int, from first: Int, atMost limit: Int) -> Int {
    batch.read(text, longest: longest, from: first, atMost: limit) { readRow($0, into: $1) }
  }

  /// Notes in a row which fields such records do not have.
  @inline(never)
  private func markMissing(in cells: UnsafeMutablePointer<FieldCell>) {
    for cell in missingCells { cells[cell] = FieldCell(.missing, 0) }
  }

  func isCanonical(_ line: PaddedBytes) -> Bool {
    guard isCompact else { return false }
    return walk(line.base) { _, place in JSONLineScanner.skipCanonical(place) } == line.base + line.count
  }

  /// Whether a line has this layout.
  ///
  /// - Parameter line: The line without its line break, followed by a control character.
  func foresees(_ line: PaddedBytes) -> Bool {
    line.ends(at: walk(line.base) { _, place in JSONLineScanner.skip(place) })
  }

  /// Whether a line starts with the expected bytes before the first value.
  func begins(_ line: PaddedBytes) -> Bool { JSONLineScanner.pass(steps, words, line.base) != nil }
}

/// Finds out what stands in a line before each of its plain values.
private struct JSONLinePlan {
  var steps: [JSONLineLayout.Step] = []
  var words: [JSONLineLayout.Word] = []
  /// What stands before the next value.
  private var pending: [UInt8] = []
  private let comma: [UInt8]
  private let colon: [UInt8]
  private let rows: RowFields

  /// What takes more bytes is not foreseen: what is compared must lie within the padding of a line.
  private static let longest = 48
  /// Records of more values, or deeper ones, are not foreseen.
  private static let stepLimit = 256
  private static let depthLimit = 8

  init(_ spacing: JSONLineLayout.Spacing, _ rows: RowFields) {
    self.rows = rows
    comma = Array((spacing == .both || spacing == .afterCommas ? ", " : ",").utf8)
    colon = Array((spacing == .both || spacing == .afterColons ? ": " : ":").utf8)
  }

  /// Adds a record; false where it is not foreseen.
  mutating func add(_ record: ValueMap, isForRows: Bool) -> Bool {
    guard record.count > 0, record.count <= Self.stepLimit else { return false }
    for (place, (key, value)) in record.pairs.enumerated() {
      guard case .string(let name) = key else { return false }
      begin(key, place)
      guard add(value, slot: isForRows ? -1 : place, cell: rows.number(of: name), depth: 1) else { return false }
    }
    pending.append(UInt8(ascii: "}"))
    return step(into: -1)
  }

  private mutating func begin(_ key: Value, _ place: Int) {
    pending += place == 0 ? [UInt8(ascii: "{")] : comma
    JSONWriter.appendKey(key, to: &pending)
    pending += colon
  }

  private mutating func add(_ value: Value, slot: Int, cell: Int?, depth: Int) -> Bool {
    switch value {
    case .list, .map:
      // What is looked at is read as a whole, by the general reader.
      guard slot < 0, cell == nil, depth < Self.depthLimit else { return false }
      return addParts(of: value, depth: depth)
    default: return step(into: slot, cell: cell)
    }
  }

  private mutating func addParts(of value: Value, depth: Int) -> Bool {
    switch value {
    case .list(let elements):
      pending.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { pending += comma }
        guard add(element, slot: -1, cell: nil, depth: depth + 1) else { return false }
      }
      pending.append(UInt8(ascii: "]"))
    case .map(let map):
      if map.isEmpty { pending.append(UInt8(ascii: "{")) }
      for (place, (key, element)) in map.pairs.enumerated() {
        begin(key, place)
        guard add(element, slot: -1, cell: nil, depth: depth + 1) else { return false }
      }
      pending.append(UInt8(ascii: "}"))
    default: break
    }
    return true
  }

  /// Ends what stands before a value; false where it, or all, is too long.
  private mutating func step(into slot: Int, cell: Int? = nil) -> Bool {
    guard pending.count <= Self.longest, steps.count < Self.stepLimit else { return false }
    let first = words.count
    for start in stride(from: 0, to: pending.count, by: 8) {
      let bytes = pending[start..<min(start + 8, pending.count)]
      var word: UInt64 = 0
      for byte in bytes.reversed() { word = word << 8 | UInt64(byte) }
      words.append(
        JSONLineLayout.Word(bytes: word, mask: bytes.count == 8 ? .max : (1 << UInt64(8 * bytes.count)) - 1))
    }
    steps.append(
      JSONLineLayout.Step(
        firstWord: first, wordCount: words.count - first, byteCount: pending.count, first: words[first], slot: slot,
        cell: cell ?? -1, kind: cell.flatMap { rows.fields[$0].kind } ?? .missing))
    pending.removeAll(keepingCapacity: true)
    return true
  }
}
