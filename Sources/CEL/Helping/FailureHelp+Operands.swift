import StreamCore

/// A call that has failed.
struct FailedCall {
  let function: String
  /// The arguments; a method's target comes first.
  let operands: [Syntax.ID]
  let isMember: Bool
}

/// Corrections of one operand of a call that does not take its type.
extension FailureHelp {
  /// Returns a call with the name of its function, which may be in a namespace: `math.abs`.
  func call(_ function: String, _ target: Syntax.ID?, _ arguments: [Syntax.ID]) -> FailedCall {
    guard let target else { return FailedCall(function: function, operands: arguments, isMember: false) }
    let qualified = "\(text(target)).\(function)"
    if value(of: target) == nil, FunctionCatalogue.function(named: qualified) != nil {
      return FailedCall(function: qualified, operands: arguments, isMember: false)
    }
    return FailedCall(function: function, operands: [target] + arguments, isMember: true)
  }

  func isNull(_ id: Syntax.ID) -> Bool { value(of: id) == .null }

  // MARK: Null

  /// Returns help for an operand that is null: a value of a type that the function takes, or null as the result.
  func nullHelp(_ call: FailedCall, _ types: [String]) -> String? {
    guard let place = types.firstIndex(of: "null") else { return nil }
    let operand = call.operands[place]
    let accepted = accepted(call, at: place, types)
    if call.function == Operators.index || types.allSatisfy({ $0 == "null" }) && types.count > 1 {
      return leaving(operand)
    }
    if Operators.isOperator(call.function) {
      let isLogic = [Operators.and, Operators.or, Operators.not, Operators.conditional].contains(call.function)
      let other = isLogic ? "bool" : types.count == 2 ? types[1 - place] : "int"
      let isOfTimes = other == "timestamp" || other == "duration"
      guard let value = call.function == Operators.in ? "[]" : isOfTimes ? nil : Self.empty[other] else {
        return leaving(operand)
      }
      return nullHelp(operand, value) { $0 }
    }
    if let zero = Self.numbers[call.function], call.operands.count == 1 {
      let text = syntax.operand(operand)
      return "'\(text)' may be null: write (\(text) == null ? \(zero) : \(call.function)(\(text))), or leave out such "
        + "values: \(text) != null"
    }
    let isOfTimes = accepted.contains { $0 == "timestamp" || $0 == "duration" }
    let isOfTexts = accepted.contains("string")
    let isOfLists = accepted.contains { $0.hasPrefix("list") }
    if isOfTexts || isOfLists, !isOfTimes, !Self.demanding.contains(call.function) {
      return nullHelp(operand, isOfTexts ? "''" : "[]") { written(call, place, $0) }
    }
    if !isOfTimes, let type = ["int", "double"].first(where: accepted.contains), let zero = Self.empty[type] {
      return nullHelp(operand, zero) { written(call, place, $0) }
    }
    let text = syntax.operand(operand)
    return "'\(text)' may be null: write (\(text) == null ? null : \(written(call, place, text))), or leave out such "
      + "values: \(text) != null"
  }

  /// Returns help that writes another value for null.
  func nullHelp(_ operand: Syntax.ID, _ other: String, _ written: (String) -> String) -> String {
    let text = syntax.operand(operand)
    return "'\(text)' may be null: write \(written("(\(text) == null ? \(other) : \(text))")), or leave out such "
      + "values: \(text) != null"
  }

  private func leaving(_ operand: Syntax.ID) -> String {
    "'\(syntax.operand(operand))' may be null: leave out such values: \(syntax.operand(operand)) != null"
  }

  private static let empty = [
    "string": "''", "int": "0", "uint": "0u", "double": "0.0", "bool": "false", "bytes": "b''", "list": "[]",
  ]
  private static let numbers = ["int": "0", "uint": "0u", "double": "0.0"]
  /// Functions of texts and lists that fail for empty ones.
  private static let demanding = ["timestamp", "duration", "parseTime", "bool", "slice", "substring", "charAt"]

  // MARK: Times

  /// Returns help for a text, or a number of milliseconds or seconds, where the function takes a timestamp.
  func timeHelp(_ call: FailedCall, _ types: [String]) -> String? {
    var isCorrected = false
    var texts = operandTexts(of: call)
    let isOfTimes = types.contains("timestamp") || types.contains("duration")
    for place in types.indices where accepted(call, at: place, types).contains("timestamp") {
      if types[place] == "int", Operators.isOperator(call.function), !isOfTimes { continue }
      guard let time = time(call.operands[place]) else { continue }
      texts[place] = time
      isCorrected = true
    }
    return isCorrected ? "write \(written(call, texts))" : nil
  }

  /// Returns an expression for the time of an operand; nil if it is none.
  private func time(_ id: Syntax.ID) -> String? {
    switch value(of: id) {
    case .string(let content)?:
      if Timestamp(rfc3339: content) != nil { return "timestamp(\(text(id)))" }
      return DatePattern.fitting(content).map { "parseTime(\(text(id)), '\($0)')" }
    case .int(let number)? where number >= 100_000_000:
      let isSeconds = Timestamp.secondsRange.contains(number)
      return isSeconds ? "timestamp(\(text(id)))" : "timestamp.fromMillis(\(text(id)))"
    default: return nil
    }
  }

  // MARK: Numbers

  /// Returns help for a number as text, where a function of one value takes a number.
  func numberHelp(_ call: FailedCall, _ types: [String]) -> String? {
    let isSign = call.function == Operators.negate
    guard isSign || !Operators.isOperator(call.function), types.first == "string",
      accepted(call, at: 0, types).contains("double"), case .string(let content)? = value(of: call.operands[0]),
      Self.isNumber(content)
    else { return nil }
    let number = "double(\(text(call.operands[0])))"
    return "\(Self.table): write \(isSign ? "-" + number : written(call, 0, number)), or declare the type of "
      + text(call.operands[0])
  }

  // MARK: Ranges

  /// Returns help for a range that ends beyond the end of a list or a text; nil for other ranges.
  func rangeHelp(
    _ function: String, _ target: Syntax.ID, _ arguments: [Syntax.ID], _ message: String
  ) -> String? {
    let numbers = message.split(separator: " ").compactMap { Int($0) }
    guard arguments.count == 2, numbers.count == 3, numbers[1] >= 0, numbers[1] <= numbers[2] else { return nil }
    let size = "size(\(text(target)))"
    let bounds = zip(arguments, numbers[1...]).map { argument, number in
      number == 0 ? text(argument) : "math.least(\(text(argument)), \(size))"
    }
    return "write \(syntax.operand(target)).\(function)(\(bounds.joined(separator: ", "))) for all up to the end"
  }

  // MARK: Calls

  /// Returns the names of the types that a function takes at a place, with these types at the other places.
  func accepted(_ call: FailedCall, at place: Int, _ types: [String]) -> [String] {
    guard let function = FunctionCatalogue.function(named: call.function) else { return [] }
    return function.signatures(.mixed).compactMap { signature in
      let parameters = signature.parameters
      guard parameters.count == call.operands.count, place < parameters.count else { return nil }
      for (other, type) in types.enumerated() where other != place {
        guard type != "null", parameters[other] != .dyn, parameters[other].isConcrete else { continue }
        // NB: A text may be a time that the same help converts.
        let isFitting = parameters[other].description.hasPrefix(type)
        guard isFitting || parameters[other] == .timestamp && type == "string" else { return nil }
      }
      return parameters[place].description
    }
  }

  private func written(_ call: FailedCall, _ place: Int, _ text: String) -> String {
    var texts = operandTexts(of: call)
    texts[place] = text
    return written(call, texts)
  }

  /// The operands as they are written in the call: in parentheses where they would bind less strongly.
  private func operandTexts(of call: FailedCall) -> [String] {
    let isOperator = Operators.isOperator(call.function)
    return call.operands.enumerated().map { place, operand in
      isOperator || call.isMember && place == 0 ? syntax.operand(operand) : text(operand)
    }
  }

  private func written(_ call: FailedCall, _ texts: [String]) -> String {
    if Operators.isOperator(call.function), texts.count == 2 {
      return "\(texts[0]) \(Operators.displayName(call.function)) \(texts[1])"
    }
    if call.isMember {
      return "\(texts[0]).\(call.function)(\(texts.dropFirst().joined(separator: ", ")))"
    }
    return "\(call.function)(\(texts.joined(separator: ", ")))"
  }
}

extension CELType {
  /// Whether this is a type of the language, and not a place for any type.
  fileprivate var isConcrete: Bool {
    if case .parameter = self { false } else { true }
  }
}
