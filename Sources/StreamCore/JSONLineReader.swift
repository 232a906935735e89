/// Reads the lines of a file, one JSON value each, for somebody who may look at some fields of them only.
///
/// A line is expected to look like one of those before it: then its keys are passed, and of its values those are read
/// that are looked at. What does not is read by a `JSONReader`, which alone says what is wrong with a line; whatever it
/// refuses is refused here, for the same reason.
///
/// - Memory: one record, and what a `JSONReader` needs.
public final class JSONLineReader {
  /// The value of the line that was read last. Where `isPart`, fields that nobody looks at hold nothing of use.
  ///
  /// NB: the same place for all lines, so that it can be lent without counting references.
  public let value: UnsafeMutablePointer<Value>
  /// Whether fields are missing in the value.
  @exclusivity(unchecked) public private(set) var isPart = false
  /// Whether the line that was read last is, byte by byte, what `JSONWriter` writes of its value.
  @exclusivity(unchecked) public private(set) var isCanonical = false

  /// The fields of the row that was read last, in the order in which they were asked for.
  package private(set) var cells = UnsafeMutablePointer<FieldCell>.allocate(capacity: 1)
  /// The line that was read into them.
  @exclusivity(unchecked) private var rowLine: PaddedBytes?

  private var names: Set<String>?
  private var rows = RowFields([])
  @exclusivity(unchecked) private var reader: JSONReader
  /// The layouts of lines so far, that of the latest line that was foreseen first.
  @exclusivity(unchecked) private var layouts: [JSONLineLayout] = []
  /// The layout of the value, where the value is a record that only this refers to.
  /// NB: not counted, for it is looked at with every line; it is the first of `layouts`.
  @exclusivity(unchecked) private var current: Unmanaged<JSONLineLayout>?
  /// The layout of the row that was read last.
  @exclusivity(unchecked) private var rowLayout: JSONLineLayout?
  /// The same.
  /// NB: not counted, for it is looked at with every line.
  @exclusivity(unchecked) private var rowLayoutReference: Unmanaged<JSONLineLayout>?
  /// How many lines were read into rows, and how many were not.
  @exclusivity(unchecked) private var rowCount = 0
  @exclusivity(unchecked) private var missCount = 0
  @exclusivity(unchecked) private var texts = ShortTexts()
  /// How many lines were learnt from, and how many were read.
  @exclusivity(unchecked) private var learntCount = 0
  @exclusivity(unchecked) private var lineCount = 0

  /// How many layouts are tried.
  private static let layoutLimit = 4
  /// How many lines are learnt from, whatever comes of it.
  private static let patience = 64

  /// - Parameter fields: the fields of records that are looked at; nil for everything.
  public init(reading fields: Set<String>? = nil, limits: JSONLimits = JSONLimits()) {
    names = fields
    reader = JSONReader(limits: limits)
    value = .allocate(capacity: 1)
    value.initialize(to: .null)
  }

  /// Reads from now on only these fields of records.
  public func readOnly(_ fields: Set<String>) {
    names = fields
    forgetLayouts()
  }

  private func forgetLayouts() {
    layouts.removeAll()
    current = nil
    rowLayout = nil
    rowLayoutReference = nil
  }

  deinit {
    cells.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Reads a line into `value`.
  public func read(_ line: PaddedBytes) throws(JSONError) {
    lineCount &+= 1
    if isForeseen(line) { return }
    current = nil
    isPart = false
    isCanonical = false
    value.pointee = try reader.read(line.bytes)
    if case .map(let map) = value.pointee { learn(map, line) }
  }

  /// All of a line that has been read before.
  public func whole(_ line: PaddedBytes) throws(JSONError) -> Value { try reader.read(line.bytes) }

  /// Whether a value is a record that this has made, with fields missing.
  public func isPart(_ value: Value) -> Bool {
    guard isPart, let layout = layouts.first, case .map(let map) = value, map.shape === layout.shape,
      case .opaque(let field) = map.slots[layout.unread]
    else { return false }
    return field === UnreadField.only
  }

  // MARK: Layouts

  private func learn(_ record: ValueMap, _ line: PaddedBytes) {
    // Where lines differ in many ways, most of what is learnt is of no use.
    guard learntCount < Self.patience + lineCount / 16 else { return }
    learntCount += 1
    for spacing in JSONLineLayout.Spacing.allCases {
      guard let layout = JSONLineLayout(record, reading: names, rows: rows, spacing) else { return }
      guard layout.foresees(line) else { continue }
      // Those that are of use are before the last.
      if layouts.count == Self.layoutLimit { layouts.removeLast() }
      return layouts.append(layout)
    }
  }

  @inline(__always)
  private func isForeseen(_ line: PaddedBytes) -> Bool {
    if let current, line.count <= reader.limits.bytes, fill(line, current) { return true }
    return isForeseenOtherwise(line)
  }

  /// Reads a line as a record of another layout than that of the value.
  @inline(never)
  private func isForeseenOtherwise(_ line: PaddedBytes) -> Bool {
    guard line.count <= reader.limits.bytes else { return false }
    for index in layouts.indices.dropFirst(current == nil ? 0 : 1) {
      let layout = layouts[index]
      guard layout.begins(line) else { continue }
      value.pointee = .map(layout.blank)
      guard fill(line, Unmanaged.passUnretained(layout)) else { continue }
      layouts.swapAt(0, index)
      current = Unmanaged.passUnretained(layout)
      isPart = layout.unread >= 0
      return true
    }
    return false
  }

  /// Reads a line as a record of this layout into the value, which is one.
  @inline(__always)
  private func fill(_ line: PaddedBytes, _ layout: Unmanaged<JSONLineLayout>) -> Bool {
    // NB: taken out of its place, so that nobody else refers to it, and put back.
    guard case .map(var map) = value.move() else { preconditionFailure("the value is a record") }
    var scanner = JSONLineScanner(line)
    layout._withUnsafeGuaranteedRef { layout in
      let (steps, words) = (layout.steps, layout.words)
      map.withMutableSlots { slots in
        for place in 0..<layout.count {
          scanner.pass(steps[place], words)
          guard scanner.isPlain else { return }
          let slot = steps[place].slot
          if slot >= 0 { scanner.readValue(into: slots + slot, &texts) } else { scanner.skipValue() }
          guard scanner.isPlain else { return }
        }
        scanner.pass(steps[layout.count], words)
        if scanner.isPlain { scanner.passEnd() }
      }
    }
    value.initialize(to: .map(map))
    isCanonical = scanner.isCanonical && layout._withUnsafeGuaranteedRef { $0.isCompact }
    return scanner.isPlain
  }

  // MARK: Rows

  /// Reads from now on these fields into rows, where `readRow` is asked for.
  package func readRows(_ fields: RowFields) {
    guard fields != rows else { return }
    rows = fields
    cells.deallocate()
    cells = .allocate(capacity: max(fields.fields.count, 1))
    cells.initialize(repeating: FieldCell(.missing, 0), count: max(fields.fields.count, 1))
    // What is known of lines is known of them still, but not where their fields go.
    forgetLayouts()
    learntCount = min(learntCount, Self.patience / 2)
  }

  /// Reads the line that a text begins with into `cells`, where it looks like one before it and has all fields that
  /// rows have to have.
  ///
  /// - Parameter text: behind it a byte below a space stands.
  /// - Returns: how many bytes it takes, its line break included; 0 where it has to be read by `read`.
  package func readRow(_ text: PaddedBytes) -> Int {
    guard let rowLayoutReference else { return readRowOtherwise(text) }
    let cells = cells
    let count = rowLayoutReference._withUnsafeGuaranteedRef { $0.readRow(text, into: cells) }
    guard count > 0, count <= reader.limits.bytes else { return readRowOtherwise(text) }
    rowLine = PaddedBytes(unsafe: text.base, count: count)
    rowCount &+= 1
    return count
  }

  /// Reads a row of another layout than the one before.
  @inline(never)
  private func readRowOtherwise(_ text: PaddedBytes) -> Int {
    guard missCount <= Self.patience + rowCount + lineCount / 16 else { return 0 }
    for layout in layouts where layout !== rowLayout && layout.fitsRows {
      let count = layout.readRow(text, into: cells)
      guard count > 0, count <= reader.limits.bytes else { continue }
      layout.markMissing(in: cells)
      rowLayout = layout
      rowLayoutReference = Unmanaged.passUnretained(layout)
      rowLine = PaddedBytes(unsafe: text.base, count: count)
      rowCount &+= 1
      return count
    }
    // Others may have written into cells of which this one knows that they are missing.
    rowLayout?.markMissing(in: cells)
    missCount &+= 1
    return 0
  }

  /// The line that was read into the row, without its line break.
  package var lineOfRow: PaddedBytes? {
    guard let rowLine else { return nil }
    let breakCount = rowLine.count > 1 && rowLine[rowLine.count - 2] == 0x0D ? 2 : 1
    return PaddedBytes(unsafe: rowLine.base, count: rowLine.count - breakCount)
  }

  /// Whether the line that was read into the row is, byte by byte, what `JSONWriter` writes of its value.
  package var isRowCanonical: Bool {
    guard let rowLayout, let lineOfRow else { return false }
    return rowLayout.isCanonical(lineOfRow)
  }

  /// The record that the row is of, read into `value` as `read` does.
  package func recordOfRow() -> UnsafePointer<Value> {
    // What was read without a mistake has none.
    if let lineOfRow { try? read(lineOfRow) }
    return UnsafePointer(value)
  }

  /// Puts the value of a field of the row, which is there, into a place.
  package func put(_ cell: Int, into target: UnsafeMutablePointer<Value>) {
    let bits = cells[cell].bits
    switch cells[cell].kind {
    case .missing, .null: target.pointee = .null
    case .bool: target.pointee = .bool(bits != 0)
    case .int: target.pointee = .int(bits)
    case .double: target.pointee = .double(Double(bitPattern: UInt64(bitPattern: bits)))
    case .text:
      guard let rowLine else { return }
      texts.put(rowLine, cells[cell].textStart, cells[cell].textCount, into: target)
    }
  }
}
