@_spi(Engine) internal import StreamCore

/// The members of an object in the body of a request.
struct JSONBody {
  private let map: ValueMap

  /// - Parameter names: The members that the object may have. An empty body is an object without members.
  init(_ bytes: [UInt8], allowing names: Set<String>) throws(Problem) {
    guard !bytes.isEmpty else {
      map = ValueMap()
      return
    }
    guard case .map(let map) = try Self.read(bytes) else { throw Problem(.badRequest, "expected an object") }
    for name in map.keys.compactMap(\.text) where !names.contains(name) {
      throw Problem(
        .badRequest, "unknown member '\(name.prefix(60))'; known: \(names.sorted().joined(separator: ", "))")
    }
    self.map = map
  }

  /// Reads JSON of at most 64 levels.
  static func read(_ bytes: [UInt8], atMost limit: Int = 1024 * 1024) throws(Problem) -> Value {
    var reader = JSONReader(limits: JSONLimits(depth: 64, bytes: limit, values: limit / 10))
    do throws(JSONError) {
      return try reader.read(bytes)
    } catch {
      throw Problem(.badRequest, "the body is not JSON: \(error.message)")
    }
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let value = map[name] else { return nil }
    guard let number = Self.integer(value), range.contains(number) else {
      let expected =
        range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
      throw Problem(.badRequest, "'\(name)' is not an integer, \(expected)")
    }
    return number
  }

  /// A number without a fraction, as JSON Schema defines integers: 2.0 is one.
  private static func integer(_ value: Value) -> Int? {
    switch value {
    case .int(let number): Int(exactly: number)
    case .double(let number): Int(exactly: number)
    default: nil
    }
  }

  func text(_ name: String, atMost limit: Int) throws(Problem) -> String? {
    guard let value = map[name] else { return nil }
    guard case .string(let text) = value, text.utf8.count <= limit else {
      throw Problem(.badRequest, "'\(name)' is not a string of at most \(limit) bytes")
    }
    return text
  }
}
