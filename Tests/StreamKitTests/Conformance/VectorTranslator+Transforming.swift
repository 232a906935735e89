import StreamCore

extension VectorTranslator {
  /// Operators that make one value of another.
  func applyTransforming(
    _ op: VectorOperator, _ sketch: inout StreamSketch, _ scope: FunctionScope
  ) throws(Unsayable) -> Bool {
    switch op.name {
    case "map":
      guard let function = op.function(0) else { throw Unsayable("'map' with no expression") }
      sketch.add("map", ("expression", try expression(function, scope)))
    case "mapTo":
      let constant = try value(op.arguments.first ?? .null, scope)
      sketch.map(FunctionText.literal(constant))
    case "pluck":
      for key in op.arguments { sketch.map(Self.member(key, of: "value")) }
    case "scan", "reduce":
      guard let function = op.function(0) else { throw Unsayable("'\(op.name)' with no expression") }
      sketch.add(
        op.name,
        ("initialValue", op.arguments.count > 1 ? try value(op.arguments[1], scope) : nil),
        ("expression", .string(try scope.function(function, ["acc", "value", "index"]))))
    case "pairwise": sketch.add("nwise", ("count", 2))
    case "materialize":
      sketch.add("materialize")
      sketch.map(
        """
        has(value.value) ? {"kind": "N", "value": dyn(value.value)} : \
        has(value.failure) ? {"kind": "E", "error": dyn(value.failure)} : {"kind": dyn("C")}
        """)
    case "dematerialize":
      sketch.map(
        """
        value.kind == "N" ? {"value": dyn(value.value)} : \
        value.kind == "E" ? {"failure": dyn(value.error)} : {"finished": dyn(true)}
        """)
      sketch.add("dematerialize")
    case "timeInterval":
      sketch.add("measureInterval", ("withValue", true))
      sketch.map("{\"value\": value.value, \"interval\": dyn(int(value.interval * 1000.0 + 0.5))}")
    case "timestamp":
      sketch.add("timestamp")
      sketch.map(
        """
        {"value": value.value, \
        "timestamp": dyn(int(value.timestamp) * 1000 + value.timestamp.getMilliseconds())}
        """)
    case "tap", "finalize", "do": break
    default: return false
    }
    return true
  }

  /// A member of an object or list; null where there is none, as in JavaScript.
  static func member(_ key: Value, of text: String) -> String {
    let literal = FunctionText.literal(key)
    return switch key {
    case .int:
      """
      (type(\(text)) == list ? (\(literal) < size(\(text)) ? dyn(\(text))[\(literal)] : null) : \
      \(member(.string(JSONWriter.compact(key)), of: text)))
      """
    default: "(type(\(text)) == map && \(literal) in dyn(\(text)) ? dyn(\(text))[\(literal)] : null)"
    }
  }
}
