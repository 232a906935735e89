/// Reads the lines of a file, one JSON value per line.
///
/// A line usually repeats the layout of an earlier line, so that the reader skips the keys. A `JSONReader` parses every
/// other line and reports errors.
///
/// - Memory: One record, plus the memory of a `JSONReader`.
public final class JSONLineReader: LineFormat {
  /// The value of the line read last.
  ///
  /// NB: Every line uses the same storage, so that the value can be borrowed without reference counting.
  @inlinable public var value: UnsafePointer<Value> { UnsafePointer(storage) }
  @usableFromInline let storage: UnsafeMutablePointer<Value>

  /// What reads lines ahead, if something does. It has this.
  private weak var rows: LineRows?
  @exclusivity(unchecked) private var reader: JSONReader
  /// The layouts of lines so far, that of the latest line that was foreseen first.
  @exclusivity(unchecked) private(set) var layouts: [JSONLineLayout] = []
  /// Changes when layouts are forgotten, and when one is added.
  @exclusivity(unchecked) package private(set) var layoutNumber = 0
  @exclusivity(unchecked) package private(set) var learntNumber = 0
  /// The layout of the value, where the value is a record that only this refers to.
  /// NB: not counted, for it is looked at with every line; it is the first of `layouts`.
  @exclusivity(unchecked) private var current: Unmanaged<JSONLineLayout>?
  @exclusivity(unchecked) private var texts = ShortTexts()
  /// How many lines were learnt from, and how many were read.
  @exclusivity(unchecked) private var learntCount = 0
  @exclusivity(unchecked) package private(set) var lineCount = 0

  /// How many layouts are tried.
  private static let layoutLimit = 4
  /// How many lines are learnt from, whatever comes of it.
  private static let patience = 64

  /// - Parameter limits: Limits of each line's text.
  public init(limits: JSONLimits = JSONLimits()) {
    reader = JSONReader(limits: limits)
    storage = .allocate(capacity: 1)
    storage.initialize(to: .null)
  }

  private func forgetLayouts() {
    layouts.removeAll()
    layoutNumber += 1
    learntNumber += 1
    current = nil
    rows?.forgetLayout()
  }

  deinit {
    storage.deinitialize(count: 1)
    storage.deallocate()
  }

  /// Reads a line into `value`.
  public func read(_ line: PaddedBytes) throws(JSONError) {
    lineCount &+= 1
    if matchesLayout(line) { return }
    current = nil
    storage.pointee = try reader.read(line.bytes)
    if case .map(let map) = value.pointee { learn(map, line) }
  }

  /// Replaces the value read last, for example by a converted one.
  ///
  /// A record keeps its layout only if its shape stays the same, because the next line is written into its slots.
  public func replaceValue(by value: Value) {
    if let current {
      let shape = current._withUnsafeGuaranteedRef { $0.shape }
      if case .map(let map) = value, map.shape === shape {} else { self.current = nil }
    }
    storage.pointee = value
  }

  /// Returns the value of a line that was read as a row.
  public func whole(_ line: PaddedBytes) throws(JSONError) -> Value { try reader.read(line.bytes) }

  // MARK: Layouts

  private func learn(_ record: ValueMap, _ line: PaddedBytes) {
    // Where lines differ in many ways, most of what is learnt is of no use.
    guard learntCount < Self.patience + lineCount / 16 else { return }
    learntCount += 1
    guard line.hasControlCharacterBehind else { return }
    for spacing in JSONLineLayout.Spacing.allCases {
      guard let layout = layout(record, spacing) else { return }
      guard layout.foresees(line) else { continue }
      // Those that are of use are before the last.
      if layouts.count == Self.layoutLimit { layouts.removeLast() }
      learntNumber += 1
      return layouts.append(layout)
    }
  }

  /// The layout of records like this one. If the record contains lists or maps, the layout supports only rows.
  private func layout(_ record: ValueMap, _ spacing: JSONLineLayout.Spacing) -> JSONLineLayout? {
    let fields = rows?.fields ?? RowFields([])
    if let layout = JSONLineLayout(record, rows: fields, spacing) { return layout }
    return rows == nil ? nil : JSONLineLayout(record, rows: fields, spacing, isForRows: true)
  }

  @inline(__always)
  private func matchesLayout(_ line: PaddedBytes) -> Bool {
    guard line.count <= reader.limits.bytes, line.hasControlCharacterBehind else { return false }
    if let current, fill(line, current) { return true }
    return isForeseenOtherwise(line)
  }

  /// Reads a line as a record of another layout than that of the value.
  @inline(never)
  private func isForeseenOtherwise(_ line: PaddedBytes) -> Bool {
    for index in layouts.indices.dropFirst(current == nil ? 0 : 1) {
      let layout = layouts[index]
      guard !layout.isForRows, layout.begins(line) else { continue }
      storage.pointee = .map(layout.blank)
      guard fill(line, Unmanaged.passUnretained(layout)) else { continue }
      layouts.swapAt(0, index)
      current = Unmanaged.passUnretained(layout)
      return true
    }
    return false
  }

  /// Reads a line as a record of this layout into the value, which is one.
  @inline(__always)
  private func fill(_ line: PaddedBytes, _ layout: Unmanaged<JSONLineLayout>) -> Bool {
    // NB: taken out of its place, so that nobody else refers to it, and put back.
    guard case .map(var map) = storage.move() else { preconditionFailure("the value is a record") }
    let end = layout._withUnsafeGuaranteedRef { layout in
      map.withMutableSlots { slots in
        var cell = FieldCell(.null, 0)
        return layout.walk(line.base) { step, place in
          guard let next = JSONLineScanner.read(place, of: line.base, into: &cell) else { return nil }
          cell.put(into: slots + step.pointee.slot, line, &texts)
          return next
        }
      }
    }
    storage.initialize(to: .map(map))
    return line.ends(at: end)
  }

  // MARK: Rows

  package var rowLayouts: [any RowLayout] { layouts.filter(\.fitsRows) }

  package var longest: Int { reader.limits.bytes }

  package var columns: Shape? { nil }

  package func record(of line: PaddedBytes) -> UnsafePointer<Value> {
    // What was read without a mistake has none.
    try? read(line.withoutBreak)
    return value
  }

  /// What reads these fields of lines ahead, from now on.
  package func readRows(_ fields: RowFields) -> LineRows {
    if let rows, rows.fields == fields { return rows }
    let made = LineRows(fields, self)
    rows = made
    // Of what is known of lines it is not known where their fields go.
    forgetLayouts()
    learntCount = min(learntCount, Self.patience / 2)
    return made
  }
}
