/// Reads the lines of a file, one JSON value per line.
///
/// A line usually repeats the layout of an earlier line, so that the reader skips the keys. A `JSONReader` parses every
/// other line and reports errors.
///
/// - Memory: One record, plus the memory of a `JSONReader`.
@_spi(Engine) public final class JSONLineReader: LineFormat {
  /// The value of the line read last.
  ///
  /// NB: Every line uses the same storage, so that the value can be borrowed without reference counting.
  @inlinable public var value: UnsafePointer<Value> { UnsafePointer(storage) }
  @usableFromInline let storage: UnsafeMutablePointer<Value>

  /// The rows read by these layouts, if there are any. NB: Weak, because they refer to this reader.
  private weak var rows: LineRows?
  @exclusivity(unchecked) private var reader: JSONReader
  /// The known layouts. The first is the layout of the last line that had one.
  @exclusivity(unchecked) private(set) var layouts: [JSONLineLayout] = []
  /// Generation counters: the first changes when layouts are discarded, the second also when one is added.
  @exclusivity(unchecked) package private(set) var layoutNumber = 0
  @exclusivity(unchecked) package private(set) var learntNumber = 0
  /// The layout of `value`, if it is a record that only this reader refers to.
  /// NB: Not retained, because it is accessed for every line; it is the first of `layouts`.
  @exclusivity(unchecked) private var current: Unmanaged<JSONLineLayout>?
  @exclusivity(unchecked) private var texts = ShortTexts()
  /// Number of lines from which a layout was made, and number of lines read.
  @exclusivity(unchecked) private var learntCount = 0
  @exclusivity(unchecked) package private(set) var lineCount = 0

  /// Maximum number of layouts.
  private static let layoutLimit = 4
  /// Number of lines from which a layout is made regardless of its use.
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
    try read(line, isBounded: line.hasControlCharacterBehind)
  }

  /// Reads a part of a line into `value`.
  ///
  /// - Parameter part: A part of a line that ends with a control character.
  package func read(partOfLine part: PaddedBytes) throws(JSONError) { try read(part, isBounded: true) }

  /// - Parameter isBounded: Whether a control character follows, which no plain string contains.
  @inline(__always)
  private func read(_ line: PaddedBytes, isBounded: Bool) throws(JSONError) {
    lineCount &+= 1
    if isBounded, matchesLayout(line) { return }
    current = nil
    storage.pointee = try reader.read(line.bytes)
    if isBounded, case .map(let map) = value.pointee { learn(map, line) }
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
    // If most lines differ, new layouts are not useful.
    guard learntCount < Self.patience + lineCount / 16 else { return }
    learntCount += 1
    for spacing in JSONLineLayout.Spacing.allCases {
      guard let layout = layout(record, spacing) else { return }
      guard layout.matches(line) else { continue }
      // Layouts in use are before the last one.
      if layouts.count == Self.layoutLimit { layouts.removeLast() }
      learntNumber += 1
      return layouts.append(layout)
    }
  }

  /// Returns the layout of lines like that of a record. If the record contains lists or maps, the layout supports only
  /// rows.
  private func layout(_ record: ValueMap, _ spacing: JSONLineLayout.Spacing) -> JSONLineLayout? {
    let fields = rows?.fields ?? RowFields([])
    if let layout = JSONLineLayout(record, rows: fields, spacing) { return layout }
    return rows == nil ? nil : JSONLineLayout(record, rows: fields, spacing, isForRows: true)
  }

  @inline(__always)
  private func matchesLayout(_ line: PaddedBytes) -> Bool {
    guard line.count <= reader.limits.bytes else { return false }
    if let current, fill(line, current) { return true }
    return matchesOtherLayout(line)
  }

  /// Reads a line with another layout than that of `value`.
  @inline(never)
  private func matchesOtherLayout(_ line: PaddedBytes) -> Bool {
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

  /// Reads a line with this layout into `value`, a record of the layout. Returns false if the line does not have it.
  @inline(__always)
  private func fill(_ line: PaddedBytes, _ layout: Unmanaged<JSONLineLayout>) -> Bool {
    // NB: Moved out of storage, so that the reference is unique, and put back below.
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

  package var rowLayouts: [any RowLayout] { layoutsOfRows }

  /// The layouts of lines that can be read into rows.
  var layoutsOfRows: [JSONLineLayout] { layouts.filter(\.fitsRows) }

  package var longest: Int { reader.limits.bytes }

  package var columns: Shape? { nil }

  package func record(of line: PaddedBytes) -> UnsafePointer<Value> {
    // NB: Never throws, because the line was read into a row.
    try? read(line.withoutBreak)
    return value
  }

  /// Returns the rows with these fields, and makes layouts for them from now on.
  ///
  /// - Parameter format: The format of the lines, if this reader reads only a part of each. Default this reader.
  package func readRows(_ fields: RowFields, of format: (any LineFormat)? = nil) -> LineRows {
    if let rows, rows.fields == fields { return rows }
    let made = LineRows(fields, format ?? self)
    rows = made
    // The known layouts have no places for these fields.
    forgetLayouts()
    learntCount = min(learntCount, Self.patience / 2)
    return made
  }
}
