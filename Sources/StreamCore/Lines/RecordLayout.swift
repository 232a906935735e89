/// Maps the stored properties of a struct to the fields of a record, so that structs are sent as they lie in memory.
///
///     struct Reading { var t: Int, z: Double }
///     let layout = RecordLayout<Reading>(.field("t", \.t), .field("z", \.z))
///
/// Computed properties, strings and nested structs are read one by one.
public struct RecordLayout<Record>: Sendable {
  private let fields: [Field]
  private let shape: Shape
  /// Where stored numbers and bools are, by the fields' names.
  private let places: [String: RecordPlace]

  /// - Parameter fields: The fields in the order records have them; of two with the same name the first one counts.
  public init(_ fields: Field...) { self.init(fields) }

  /// - Parameter fields: The fields in the order records have them; of two with the same name the first one counts.
  public init(_ fields: [Field]) {
    var places: [String: RecordPlace] = [:]
    var kept: [Field] = []
    for field in fields where !kept.contains(where: { $0.name == field.name }) {
      kept.append(field)
      places[field.name] = field.place
    }
    self.fields = kept
    self.places = places
    shape = Shape(names: kept.map(\.name))
  }

  /// Returns a struct as a record.
  public func value(of record: Record) -> Value {
    .map(ValueMap(shape: shape, slots: fields.map { $0.value(record) }))
  }

  /// Gives structs that follow each other in memory to a function.
  package func withRows<Result>(_ records: ArraySlice<Record>, _ body: (RecordRows) -> Result) -> Result? {
    records.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      return body(
        RecordRows(start: start, stride: MemoryLayout<Record>.stride, count: records.count, places: places))
    }
  }

  /// A field of a struct.
  public struct Field: Sendable {
    let name: String
    let place: RecordPlace?
    let value: @Sendable (Record) -> Value

    public static func field(_ name: String, _ path: any KeyPath<Record, Int> & Sendable) -> Field {
      Field(name, path, .int) { .int(Int64($0)) }
    }

    public static func field(_ name: String, _ path: any KeyPath<Record, Int64> & Sendable) -> Field {
      Field(name, path, .int) { .int($0) }
    }

    public static func field(_ name: String, _ path: any KeyPath<Record, Double> & Sendable) -> Field {
      Field(name, path, .double) { .double($0) }
    }

    public static func field(_ name: String, _ path: any KeyPath<Record, Bool> & Sendable) -> Field {
      Field(name, path, .bool) { .bool($0) }
    }

    public static func field(_ name: String, _ path: any KeyPath<Record, String> & Sendable) -> Field {
      Field(name, path, nil) { .string($0) }
    }

    public static func field(_ name: String, _ path: any KeyPath<Record, Value> & Sendable) -> Field {
      Field(name, path, nil) { $0 }
    }

    private init<Content>(
      _ name: String, _ path: any KeyPath<Record, Content> & Sendable, _ kind: RecordPlace.Kind?,
      _ value: @escaping @Sendable (Content) -> Value
    ) {
      self.name = name
      self.value = { value($0[keyPath: path]) }
      // What is computed has no place.
      let offset = MemoryLayout<Record>.offset(of: path)
      place = kind.flatMap { kind in offset.map { RecordPlace(kind: kind, offset: $0) } }
    }
  }
}

/// Where a number or bool is in a struct.
package struct RecordPlace: Sendable {
  package enum Kind: Sendable {
    /// 64 bits.
    case int
    case double
    /// One byte.
    case bool
  }

  package let kind: Kind
  /// In bytes from the struct's first.
  package let offset: Int
}

/// Structs that follow each other in memory.
///
/// NB: valid for as long as whoever made it lends the memory. The places are those of fields of the struct.
package struct RecordRows {
  package let start: UnsafeRawPointer
  /// In bytes from one to the next.
  package let stride: Int
  package let count: Int
  package let places: [String: RecordPlace]
}
