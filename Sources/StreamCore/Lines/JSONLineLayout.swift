/// The expected layout of a line: an object with certain keys, also in the objects it contains.
///
/// A layout is a list of steps. Each step passes the bytes before a plain value, such as `{"key":` or `]},"key":`, and then
/// the value.
///
/// `@unchecked`: The memory is written only by the initializer.
final class JSONLineLayout: RowLayout, @unchecked Sendable {
  struct Step {
    /// Index in `words` of the first word of the bytes before the value.
    let firstWord: Int
    let wordCount: Int
    let byteCount: Int
    /// The word at `firstWord`.
    let first: Word
    /// The slot of the record for the value, or -1.
    let slot: Int
    /// The cell of a row for the value, or -1.
    let cell: Int
    /// The required type of that cell; `missing` for any type.
    let kind: FieldCell.Kind
  }

  /// The spaces between the tokens of a line.
  enum Spacing: CaseIterable {
    case none
    /// After commas and colons, as Python writes.
    case both
    case afterColons, afterCommas
  }

  /// Eight expected bytes. The mask selects the bytes that are compared.
  struct Word {
    let bytes: UInt64
    let mask: UInt64
  }

  let shape: Shape
  let count: Int
  /// `count` steps, and one more for the bytes after the last value.
  let steps: UnsafeMutablePointer<Step>
  let words: UnsafeMutablePointer<Word>
  /// Whether lines have no white space, as `JSONWriter` writes them.
  let isCompact: Bool
  /// Whether the layout supports rows only, not records.
  let isForRows: Bool
  /// Whether such lines have all required fields of rows.
  let fitsRows: Bool
  /// The cells of rows for fields that such lines do not have.
  private let missingCells: [Int]
  private let missingCount: Int

  /// Creates the layout of lines like that of a record. Returns nil for records that layouts do not support.
  ///
  /// - Parameters:
  ///   - rows: The fields of rows. Default none.
  ///   - spacing: The white space between tokens.
  ///   - isForRows: Whether the layout supports rows only. Default false.
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

  /// A record of this layout in which all values are null.
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

  /// Reads a record into a row. Returns the place after the record; nil if it does not have this layout.
  ///
  /// - Parameter start: The start of the record, in a line with a line break.
  @inline(__always)
  func readRow(
    at start: JSONLineScanner.Place, into cells: UnsafeMutablePointer<FieldCell>
  ) -> JSONLineScanner.Place? {
    let end = walk(start) { step, place in
      let number = step.pointee.cell
      if number < 0 { return JSONLineScanner.skip(place) }
      let cell = cells + number
      guard let next = JSONLineScanner.read(place, of: start, into: cell) else { return nil }
      let wanted = step.pointee.kind.rawValue
      return wanted == FieldCell.Kind.missing.rawValue || wanted == cell.pointee.kind.rawValue ? next : nil
    }
    if missingCount > 0 { markMissing(in: cells) }
    return end
  }

  func read(_ text: PaddedBytes, into batch: RowBatch, longest: Int, from first: Int, atMost limit: Int) -> Int {
    batch.read(text, longest: longest, from: first, atMost: limit) { line, cells in
      guard let end = readRow(at: line.base, into: cells), JSONLineScanner.isBreak(end) else { return nil }
      return line
    }
  }

  /// Marks the fields that such lines do not have as missing in a row.
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
  func matches(_ line: PaddedBytes) -> Bool {
    line.ends(at: walk(line.base) { _, place in JSONLineScanner.skip(place) })
  }

  /// Whether a line starts with the expected bytes before the first value.
  func begins(_ line: PaddedBytes) -> Bool { JSONLineScanner.pass(steps, words, line.base) != nil }
}

/// Collects the steps of a layout from a record.
private struct JSONLinePlan {
  var steps: [JSONLineLayout.Step] = []
  var words: [JSONLineLayout.Word] = []
  /// The bytes before the next value.
  private var pending: [UInt8] = []
  private let comma: [UInt8]
  private let colon: [UInt8]
  private let rows: RowFields

  /// The maximum number of bytes before a value, which must be less than the padding of a line.
  private static let longest = 48
  /// The maximum number of values, and their maximum nesting depth.
  private static let stepLimit = 256
  private static let depthLimit = 8

  init(_ spacing: JSONLineLayout.Spacing, _ rows: RowFields) {
    self.rows = rows
    comma = Array((spacing == .both || spacing == .afterCommas ? ", " : ",").utf8)
    colon = Array((spacing == .both || spacing == .afterColons ? ": " : ":").utf8)
  }

  /// Adds a record. Returns false if layouts do not support it.
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
      // The general reader reads lines whose arrays and objects are required.
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

  /// Ends the bytes before a value. Returns false if they, or the layout, are too long.
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
