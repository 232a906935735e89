internal import StreamCore

/// Advice for the fields of an operator or a source that a file writes as other tools do: a value instead of the object
/// of fields, a unit of time as a member's name, a field by the name that it has elsewhere.
package struct FieldAdvice {
  let spec: OperatorSpec

  /// Returns the form of an operator whose fields are replaced by a value; nil if no field takes such a value.
  func form(for value: Value) -> String? {
    let fields = spec.parts.fields
    if let path = value.text, fields.contains(where: { $0.name == "path" }) { return form(forPath: path) }
    let required = fields.filter(\.isRequired)
    for field in required + fields.filter({ !$0.isRequired }) {
      guard let fitting = fits(value, field.kind, isOnlyRequired: required.count == 1 && field.isRequired) else {
        continue
      }
      let rest = required.filter { $0.name != field.name }.map { "\"\($0.name)\": …" }
      let members = ["\"\(field.name)\": \(JSONWriter.compact(fitting))"] + rest
      return "write {\"\(spec.name)\": {\(members.joined(separator: ", "))}}"
    }
    return required.isEmpty && spec.parts.rules.isEmpty ? "write {\"\(spec.name)\": {}}" : nil
  }

  /// Returns the form of a source for the path of a file.
  private func form(forPath path: String) -> String {
    let format = FileFormat(ofFile: path) == nil ? ", \"format\": \"\(FileFormat.ndjson.rawValue)\"" : ""
    return "write {\"\(spec.name)\": {\"path\": \(JSONWriter.compact(.string(path)))\(format)}}"
  }

  private func fits(_ value: Value, _ kind: FieldSpec.Kind, isOnlyRequired: Bool) -> Value? {
    switch kind {
    case .string where isOnlyRequired: break
    // Any text could be one of these; the field that is meant is the expression, the stream or the number.
    case .string, .value, .type, .bool, .boolOrStream: return nil
    default: break
    }
    let candidate = kind.advisedValue(for: value) ?? value
    return kind.problem(with: candidate, field: "") == nil ? candidate : nil
  }

  /// Returns help for a member that the operator does not have; nil if nothing is known of its name.
  func help(forMember name: String, _ value: Value) -> String? {
    let names = spec.parts.names
    if let factor = Self.unitsInSeconds[name.lowercased()],
      let field = spec.parts.fields.first(where: { $0.kind.isSeconds }), field.name != name
    {
      let seconds: Value? =
        switch value {
        case .int(let number): .seconds(Double(number) * factor)
        case .double(let number): .seconds(number * factor)
        default: field.kind.advisedValue(for: value)
        }
      return "write \"\(field.name)\": \(seconds.map(JSONWriter.compact) ?? "a number of seconds")"
    }
    let target = Self.synonyms[name.lowercased()]?.first(where: names.contains)
    return target.map { "did you mean '\($0)'?" }
  }

  /// Factors that convert the unit of a member's name to seconds. The lengths of time of RxJS are in milliseconds.
  private static let unitsInSeconds: [String: Double] = [
    "milliseconds": 0.001, "millis": 0.001, "ms": 0.001, "msec": 0.001, "duetime": 0.001, "nanoseconds": 1e-9,
    "microseconds": 1e-6, "us": 1e-6, "second": 1, "secs": 1, "sec": 1, "s": 1, "seconds": 1, "duration": 1,
    "interval": 1, "period": 1, "every": 1, "after": 1, "wait": 1, "delay": 1, "time": 1, "timeout": 1, "minutes": 60,
    "minute": 60, "min": 60, "mins": 60, "m": 60, "hours": 3600, "hour": 3600, "h": 3600, "days": 86_400, "day": 86_400,
    "d": 86_400,
  ]

  /// Returns the word that was probably meant by another one; nil if none is known.
  package static func choice(for word: String, among words: [String]) -> String? {
    guard let format = formats[word.lowercased()], words.contains(format) else {
      return nearestName(to: word, among: words)
    }
    return format
  }

  /// The names of formats in other tools.
  private static let formats = [
    "jsonl": "ndjson", "jsonlines": "ndjson", "json-lines": "ndjson", "jsonseq": "ndjson", "lines": "text",
  ]

  /// The names of fields in other libraries, with ours in order of preference.
  private static let synonyms: [String: [String]] = [
    "initial": ["initialValue"], "seed": ["initialValue"], "init": ["initialValue"], "start": ["initialValue", "from"],
    "default": ["initialValue", "with"], "zero": ["initialValue"], "accumulator": ["expression"],
    "to": ["through"], "end": ["through"], "until": ["through"], "stop": ["through"], "step": ["by"],
    "expr": ["expression"], "condition": ["expression"], "predicate": ["expression"], "where": ["expression"],
    "function": ["expression"], "fn": ["expression"], "selector": ["expression", "key"], "project": ["expression"],
    "code": ["expression"], "script": ["expression"], "on": ["key", "expression"], "by": ["key", "expression"],
    "keys": ["key"], "field": ["key", "expression"], "keyselector": ["key"], "size": ["count"], "n": ["count"],
    "length": ["count"], "times": ["count"], "limit": ["count"], "max": ["count", "limit"], "num": ["count"],
    "pipe": ["operators"], "pipeline": ["operators"], "steps": ["operators"], "do": ["operators"],
    "sequence": ["stream"], "source": ["stream"], "inner": ["stream"], "with": ["stream"], "streams": ["with"],
    "sources": ["with"], "others": ["with"], "other": ["with"], "stream": ["with"], "inputs": ["with"],
    "concurrency": ["maxPublishers"], "concurrent": ["maxPublishers"], "parallel": ["maxPublishers"],
    "filename": ["path"], "file": ["path"], "type": ["format"], "message": ["error"], "value": ["with", "expression"],
    "backoff": ["delay"], "retries": ["count"], "attempts": ["count"], "label": ["prefix"],
  ]
}

extension FieldSpec.Kind {
  fileprivate var isSeconds: Bool { if case .seconds = self { true } else { false } }

  /// Returns the value that was probably meant where another kind of value was written: 5 for "5s", 2 for 2.0, ["b"] for
  /// "b"; nil if none is known.
  func advisedValue(for value: Value) -> Value? {
    switch (self, value) {
    case (.seconds, .string(let text)): LengthOfTime.seconds(of: text).map(Value.seconds)
    case (.number, .string(let text)): Double(text).map(Value.seconds)
    case (.count, .string(let text)): Int64(text).map(Value.int)
    case (.count, .double(let number)): Int64(exactly: number).map(Value.int)
    case (.streams, .string), (.names, .string), (.streams, .map): .list([value])
    case (.expression, .int(let number)): .string(String(number))
    case (.expression, .double(let number)): .string(number.description)
    case (.expression, .bool(let flag)): .string(String(flag))
    case (.expression, .list(let parts)) where !parts.isEmpty: Self.keyExpression(of: parts.elements)
    case (.operators, .map): .list([value])
    case (.bool, .string(let text)): ["true": .bool(true), "false": .bool(false)][text.lowercased()]
    default: nil
    }
  }

  /// A key of several parts, written as an array of expressions, as one expression.
  private static func keyExpression(of parts: [Value]) -> Value? {
    let texts = parts.compactMap { part -> String? in
      guard let text = part.text else { return nil }
      return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? "value.\(text)" : text
    }
    return texts.count == parts.count ? .string("[\(texts.joined(separator: ", "))]") : nil
  }
}

/// Lengths of time as people write them.
package enum LengthOfTime {
  /// Returns the seconds of a number with a unit, such as `5s`, `500ms`, `1.5 minutes` or `2h`; nil for other texts. A
  /// number without a unit is a number of seconds.
  package static func seconds(of text: String) -> Double? {
    let number = text.prefix { $0.isNumber || $0 == "." }
    guard let amount = Double(number) else { return nil }
    let unit = text.dropFirst(number.count).filter { $0 != " " }.lowercased()
    guard let factor = factors[unit.count > 2 && unit.hasSuffix("s") ? String(unit.dropLast()) : unit] else {
      return nil
    }
    // NB: A quotient by a whole number is exact where the product by its inverse is not.
    return factor < 1 ? amount / (1 / factor).rounded() : amount * factor
  }

  private static let factors: [String: Double] = [
    "": 1, "s": 1, "sec": 1, "second": 1, "ms": 0.001, "milli": 0.001, "millisecond": 0.001, "us": 1e-6, "µs": 1e-6,
    "m": 60, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600, "d": 86_400, "day": 86_400,
  ]
}
