/// A field of a record that is not created: an unboxed scalar, or the place of a string in the line.
package struct FieldCell {
  /// The type of the field's value.
  package enum Kind: UInt8, Sendable {
    /// The record lacks the field.
    case missing
    case null, bool, int, double, text
  }

  package var kind = Kind.missing
  /// The bits of a scalar: a double's pattern, 0 or 1 for a bool. For a string, the offset of its first byte in the line
  /// and, in the lower 32 bits, its number of bytes.
  package var bits: Int64 = 0

  @inline(__always)
  init(_ kind: Kind, _ bits: Int64) {
    self.kind = kind
    self.bits = bits
  }

  init(_ double: Double) { self.init(.double, Int64(bitPattern: double.bitPattern)) }

  @inline(__always)
  init(textAt start: Int, count: Int) {
    self.init(.text, Int64(start) << 32 | Int64(count))
  }

  /// Whether the record has the field.
  @inline(__always)
  package var isThere: Bool { if case .missing = kind { false } else { true } }

  /// A number, as a double.
  @inline(__always)
  package var number: Double? {
    switch kind {
    case .int: Double(bits)
    case .double: Double(bitPattern: UInt64(bitPattern: bits))
    default: nil
    }
  }

  /// Puts the value of the field into a place. A missing field is null.
  ///
  /// - Parameter line: The line that the field was read from.
  @inline(__always)
  func put(into target: UnsafeMutablePointer<Value>, _ line: PaddedBytes, _ texts: inout ShortTexts) {
    switch kind {
    case .missing, .null: target.pointee = .null
    case .bool: target.pointee = .bool(bits != 0)
    case .int: target.pointee = .int(bits)
    case .double: target.pointee = .double(Double(bitPattern: UInt64(bitPattern: bits)))
    case .text: texts.put(line, textStart, textCount, into: target)
    }
  }

  var textStart: Int { Int(bits >> 32) }
  var textCount: Int { Int(bits & 0xFFFF_FFFF) }
}

/// The fields that a program reads of each line.
package struct RowFields: Equatable {
  package struct Field: Equatable {
    package var name: String
    /// The required type; nil if the field may have any type or be missing.
    package var kind: FieldCell.Kind?
    /// Whether the program reads the value, and not only its type.
    package var isRead: Bool

    package init(_ name: String, _ kind: FieldCell.Kind? = nil, isRead: Bool = true) {
      self.name = name
      self.kind = kind
      self.isRead = isRead
    }
  }

  package var fields: [Field]

  package init(_ fields: [Field]) { self.fields = fields }

  /// The index of a field.
  func number(of name: String) -> Int? { fields.firstIndex { $0.name == name } }
}
