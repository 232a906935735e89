/// The Swift code of the helpers. This part represents values of unknown type and operates on them.
enum SwiftHelperText {
  static let json = """
    /// A JSON value.
    enum JSON: Equatable, Sendable {
      case null
      case bool(Bool)
      case int(Int)
      case double(Double)
      case string(String)
      case array([JSON])
      case object([String: JSON])

      init(_ value: JSON) { self = value }
      init(_ value: Bool) { self = .bool(value) }
      init(_ value: Int) { self = .int(value) }
      init(_ value: Double) { self = .double(value) }
      init(_ value: String) { self = .string(value) }

      static func == (first: JSON, second: JSON) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Double(a) == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
      }
    }

    extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
      ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
    {
      init(booleanLiteral value: Bool) { self = .bool(value) }
      init(integerLiteral value: Int) { self = .int(value) }
      init(floatLiteral value: Double) { self = .double(value) }
      init(stringLiteral value: String) { self = .string(value) }
      init(arrayLiteral elements: JSON...) { self = .array(elements) }
      init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(members, uniquingKeysWith: { _, last in last }))
      }
    }

    extension JSON: Codable {
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
          self = .null
        } else if let truth = try? value.decode(Bool.self) {
          self = .bool(truth)
        } else if let number = try? value.decode(Int.self) {
          self = .int(number)
        } else if let number = try? value.decode(Double.self) {
          self = .double(number)
        } else if let text = try? value.decode(String.self) {
          self = .string(text)
        } else if let elements = try? value.decode([JSON].self) {
          self = .array(elements)
        } else {
          self = .object(try value.decode([String: JSON].self))
        }
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let truth): try container.encode(truth)
        case .int(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
      }
    }

    /// The reason why a JSON value does not fit.
    struct JSONMismatch: Error {
      let expected: String
      let found: JSON
    }
    """

  static let access = """
    extension JSON {
      func bool() throws -> Bool {
        guard case .bool(let truth) = self else { throw JSONMismatch(expected: "true or false", found: self) }
        return truth
      }

      func int() throws -> Int {
        if case .int(let number) = self { return number }
        if case .double(let number) = self, let whole = Int(exactly: number.rounded(.towardZero)) { return whole }
        throw JSONMismatch(expected: "an integer", found: self)
      }

      func double() throws -> Double {
        switch self {
        case .int(let number): return Double(number)
        case .double(let number): return number
        default: throw JSONMismatch(expected: "a number", found: self)
        }
      }

      func string() throws -> String {
        guard case .string(let text) = self else { throw JSONMismatch(expected: "a string", found: self) }
        return text
      }

      /// The elements of an array, or the names of an object's members.
      func list() throws -> [JSON] {
        switch self {
        case .array(let elements): return elements
        case .object(let members): return members.keys.sorted().map { .string($0) }
        default: throw JSONMismatch(expected: "an array", found: self)
        }
      }
    }
    """

  static let member = """
    extension JSON {
      /// The member of an object; throws if it is missing.
      subscript(name: String) -> JSON {
        get throws {
          guard case .object(let members) = self, let member = members[name] else {
            throw JSONMismatch(expected: "an object with the member '\\(name)'", found: self)
          }
          return member
        }
      }
    }
    """

  static let element = """
    extension JSON {
      /// The element of an array; throws if the index is out of range.
      subscript(index: Int) -> JSON {
        get throws {
          guard case .array(let elements) = self, elements.indices.contains(index) else {
            throw JSONMismatch(expected: "an array of more than \\(index) elements", found: self)
          }
          return elements[index]
        }
      }
    }
    """

  static let has = """
    extension JSON {
      /// Whether an object has the member.
      func has(_ name: String) throws -> Bool {
        guard case .object(let members) = self else { throw JSONMismatch(expected: "an object", found: self) }
        return members[name] != nil
      }
    }
    """

  static let count = """
    extension JSON {
      /// Returns the number of elements, members or Unicode scalars.
      func count() throws -> Int {
        switch self {
        case .array(let elements): return elements.count
        case .object(let members): return members.count
        case .string(let text): return text.unicodeScalars.count
        default: throw JSONMismatch(expected: "an array, an object or a string", found: self)
        }
      }
    }
    """

  static let text = """
    extension JSON {
      /// Returns a number, a Boolean or a string as a string.
      func text() throws -> String {
        switch self {
        case .bool(let truth): return String(truth)
        case .int(let number): return String(number)
        case .double(let number): return Int(exactly: number).map { String($0) } ?? String(number)
        case .string(let text): return text
        default: throw JSONMismatch(expected: "a number, a Boolean or a string", found: self)
        }
      }
    }
    """

  static let order = """
    extension JSON {
      static func < (first: JSON, second: JSON) throws -> Bool {
        switch (first, second) {
        case (.int(let a), .int(let b)): return a < b
        case (.int(let a), .double(let b)): return Double(a) < b
        case (.double(let a), .int(let b)): return a < Double(b)
        case (.double(let a), .double(let b)): return a < b
        case (.string(let a), .string(let b)): return a < b
        case (.bool(let a), .bool(let b)): return !a && b
        default: throw JSONMismatch(expected: "a value comparable with \\(first)", found: second)
        }
      }

      static func > (first: JSON, second: JSON) throws -> Bool { try second < first }
      static func <= (first: JSON, second: JSON) throws -> Bool { try first < second || first == second }
      static func >= (first: JSON, second: JSON) throws -> Bool { try second < first || first == second }
    }
    """

  static let arithmetic = """
    extension JSON {
      static func + (first: JSON, second: JSON) throws -> JSON {
        switch (first, second) {
        case (.string(let a), .string(let b)): return .string(a + b)
        case (.array(let a), .array(let b)): return .array(a + b)
        default: return try first.with(second, { $0.addingReportingOverflow($1) }, +)
        }
      }

      static func - (first: JSON, second: JSON) throws -> JSON {
        try first.with(second, { $0.subtractingReportingOverflow($1) }, -)
      }

      static func * (first: JSON, second: JSON) throws -> JSON {
        try first.with(second, { $0.multipliedReportingOverflow(by: $1) }, *)
      }

      static func / (first: JSON, second: JSON) throws -> JSON {
        try first.with(second, { $0.dividedReportingOverflow(by: $1) }, /)
      }

      static func % (first: JSON, second: JSON) throws -> JSON {
        guard case .int(let a) = first, case .int(let b) = second, b != 0 else {
          throw JSONMismatch(expected: "two integers", found: second)
        }
        return .int(a.remainderReportingOverflow(dividingBy: b).partialValue)
      }

      private func with(
        _ other: JSON, _ whole: (Int, Int) -> (partialValue: Int, overflow: Bool), _ broken: (Double, Double) -> Double
      ) throws -> JSON {
        guard case .int(let a) = self, case .int(let b) = other else {
          return .double(broken(try double(), try other.double()))
        }
        let result = whole(a, b)
        if result.overflow { throw JSONMismatch(expected: "numbers with a result", found: other) }
        return .int(result.partialValue)
      }
    }
    """
}
