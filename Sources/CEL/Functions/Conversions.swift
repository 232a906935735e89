import StreamCore

extension FunctionCatalogue {
  /// Functions named after the types they convert to, and `type` and `dyn`.
  static let conversions: [Function] = [
    Function(
      "type", "The type of a value", cost: .constant, [.function([.parameter("A")], .type(.parameter("A")))],
      .one { value, _ in value.typeValue }),
    Function(
      "dyn", "The same value, without a type the checker knows", cost: .constant, [.function([.dyn], .dyn)],
      .one { value, _ in value }),
    converter("int", "The number as an int, truncated toward zero", [.int, .uint, .double, .string, .timestamp], .int),
    converter("uint", "The number as a uint, truncated toward zero", [.uint, .int, .double, .string], .uint),
    converter("double", "The number as a double", [.double, .int, .uint, .string], .double),
    converter(
      "string", "The value as a string",
      [
        .string, .int, .uint, .double, .bool, .bytes, .timestamp, .duration, NetworkAddress.type, NetworkRange.type,
      ], .string),
    converter("bytes", "The UTF-8 bytes of the string", [.bytes, .string], .bytes),
    converter("bool", "The bool that the string spells", [.bool, .string], .bool),
    converter(
      "timestamp", "The timestamp of an RFC 3339 string, or of a number of seconds since 1970",
      [.timestamp, .string, .int], .timestamp),
    converter("duration", "The duration of a string such as '1h30m', '1.5s' or '2d'", [.duration, .string], .duration),
    trying("tryInt", "The value as an int, truncated toward zero, if it can be converted", "int", .int),
    trying("tryDouble", "The value as a double, if it can be converted", "double", .double),
  ]

  /// Returns the conversion to a type as a function that has no value for what cannot be converted.
  private static func trying(_ name: String, _ summary: String, _ type: String, _ result: CELType) -> Function {
    Function(
      name, summary, [.function([.dyn], .optional(result))],
      .one { (value, activation) throws(EvaluationError) in
        do throws(EvaluationError) {
          return .optional(try Conversion.convert(value, to: type))
        } catch {
          try activation.chargeError()
          return .optional(nil)
        }
      })
  }

  private static func converter(_ name: String, _ summary: String, _ from: [CELType], _ to: CELType) -> Function {
    Function(
      // A duration is parsed number by number, each with its unit.
      name, summary, cost: name == "duration" ? .steps(perByte: 8) : .linear, from.map { .function([$0], to) },
      .one { (value, activation) throws(EvaluationError) in
        if name == "string" { try activation.charge(stringSteps(value)) }
        return try Conversion.convert(value, to: name)
      })
  }

  /// The steps for the text of a value that has no size.
  private static func stringSteps(_ value: Value) -> Int {
    switch value {
    case .timestamp: 150
    case .duration, .opaque: 200
    case .double, .int, .uint: 20
    default: 0
    }
  }
}

/// Conversions between CEL's types.
enum Conversion {
  static func convert(_ value: Value, to type: String) throws(EvaluationError) -> Value {
    switch type {
    case "int": .int(try int(value))
    case "uint": .uint(try uint(value))
    case "double": .double(try double(value))
    case "string": .string(try string(value))
    case "bytes": .bytes(try bytes(value))
    case "bool": .bool(try bool(value))
    case "timestamp": .timestamp(try timestamp(value))
    default: .duration(try duration(value))
    }
  }

  static func int(_ value: Value) throws(EvaluationError) -> Int64 {
    switch value {
    case .int(let number): return number
    case .uint(let number):
      if let result = Int64(exactly: number) { return result }
    case .double(let number):
      // The smallest int is excluded too: numbers near it round to the same double.
      if number > -0x1p63, number < 0x1p63 { return Int64(number) }
    case .string(let text):
      if let result = Int64(text) { return result }
      throw .conversion(value, to: "int")
    case .timestamp(let time): return time.seconds
    default: throw .noOverload("int", value)
    }
    throw .overflow("\(value.shortText) does not fit into an int")
  }

  static func uint(_ value: Value) throws(EvaluationError) -> UInt64 {
    switch value {
    case .uint(let number): return number
    case .int(let number):
      if let result = UInt64(exactly: number) { return result }
    case .double(let number):
      if number > -1, number >= 0, number < 0x1p64 { return UInt64(number) }
    case .string(let text):
      if let result = UInt64(text) { return result }
      throw .conversion(value, to: "uint")
    default: throw .noOverload("uint", value)
    }
    throw .overflow("\(value.shortText) does not fit into a uint")
  }

  static func double(_ value: Value) throws(EvaluationError) -> Double {
    switch value {
    case .string(let text):
      guard let number = Double(decimalText: text) else { throw .conversion(value, to: "double") }
      return number
    default:
      guard let number = value.asDouble else { throw .noOverload("double", value) }
      return number
    }
  }

  static func bool(_ value: Value) throws(EvaluationError) -> Bool {
    switch value {
    case .bool(let flag): return flag
    case .string(let text):
      if ["1", "t", "true", "TRUE", "True", "T"].contains(text) { return true }
      if ["0", "f", "false", "FALSE", "False", "F"].contains(text) { return false }
      throw .conversion(value, to: "bool")
    default: throw .noOverload("bool", value)
    }
  }

  static func bytes(_ value: Value) throws(EvaluationError) -> [UInt8] {
    switch value {
    case .bytes(let bytes): return bytes
    case .string(let text): return Array(text.utf8)
    default: throw .noOverload("bytes", value)
    }
  }

  static func string(_ value: Value) throws(EvaluationError) -> String {
    switch value {
    case .string(let text): return text
    case .int(let number): return String(number)
    case .uint(let number): return String(number)
    case .double(let number): return text(number)
    case .bool(let flag): return String(flag)
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw EvaluationError(.invalidConversion, "the bytes are not valid UTF-8")
      }
      return text
    case .timestamp(let time): return time.text
    case .duration(let duration): return duration.secondsText
    case .opaque(let opaque) where opaque is NetworkAddress || opaque is NetworkRange: return opaque.description
    default: throw .noOverload("string", value)
    }
  }

  /// Returns the shortest string that parses as the same double; integers have no fraction.
  static func text(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  static func timestamp(_ value: Value) throws(EvaluationError) -> Timestamp {
    switch value {
    case .timestamp(let time): return time
    case .int(let seconds):
      guard Timestamp.secondsRange.contains(seconds) else {
        let milliseconds =
          Timestamp.secondsRange.contains(seconds / 1000)
          ? "; for a number of milliseconds write timestamp.fromMillis(milliseconds)" : ""
        throw .overflow("\(seconds) seconds after 1970 is outside the years 1 to 9999\(milliseconds)")
      }
      return Timestamp(seconds: seconds)
    case .string(let text):
      guard let time = Timestamp(rfc3339: text) else { throw .conversion(value, to: "timestamp") }
      return time
    default: throw .noOverload("timestamp", value)
    }
  }

  static func duration(_ value: Value) throws(EvaluationError) -> Duration {
    switch value {
    case .duration(let duration): return duration
    case .string(let text):
      guard let duration = try Duration(goText: text) else { throw .conversion(value, to: "duration") }
      return try duration.checked()
    default: throw .noOverload("duration", value)
    }
  }
}
