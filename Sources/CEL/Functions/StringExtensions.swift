import StreamCore

extension FunctionCatalogue {
  /// cel-spec's string extension. Indexes and lengths are counted in Unicode scalars.
  static let stringExtensions: [Function] = [
    Function(
      "charAt", "The character at an index, or an empty string at the end", cost: .bytes(perStep: 4),
      [.method([.string, .int], .string)],
      .two { (text, place, _) throws(EvaluationError) in
        let (text, place) = (try scalars(text, "charAt"), try integer(place, "charAt"))
        guard let start = text.offset(of: place) else { throw noPlace(text, place) }
        return .string(start == text.bytes.count ? "" : text.text(start..<text.end(after: start)))
      }),
    search("indexOf", "The index of the first occurrence in the string or the list, or -1", isLast: false),
    search("lastIndexOf", "The index of the last occurrence in the string or the list, or -1", isLast: true),
    Function(
      "substring", "The part from a start index up to, but not including, an end index, or to the end",
      cost: .bytes(perStep: 2),
      [.method([.string, .int], .string), .method([.string, .int, .int], .string)],
      .two { (text, start, _) throws(EvaluationError) in
        let text = try scalars(text, "substring")
        return .string(try slice(text, try integer(start, "substring"), nil))
      },
      .three { (text, start, end, _) throws(EvaluationError) in
        let text = try scalars(text, "substring")
        return .string(try slice(text, try integer(start, "substring"), try integer(end, "substring")))
      }),
    asciiCased("lowerAscii", "The string with A to Z in lowercase", UInt8(ascii: "A")...UInt8(ascii: "Z")),
    asciiCased("upperAscii", "The string with a to z in uppercase", UInt8(ascii: "a")...UInt8(ascii: "z")),
    Function(
      "trim", "The string without white space at both ends", cost: .bytes(perStep: 8), [.method([.string], .string)],
      .one { (value, activation) throws(EvaluationError) in
        guard case .string(let text) = value else { throw .noOverload("trim", value) }
        var part = text.unicodeScalars[...]
        while let first = part.first, first.properties.isWhitespace {
          try activation.charge(8)
          part.removeFirst()
        }
        while let last = part.last, last.properties.isWhitespace {
          try activation.charge(8)
          part.removeLast()
        }
        return .string(String(part))
      }),
    Function(
      "reverse", "The string or the list in reverse order", cost: .steps(perByte: 1),
      [.method([.string], .string), .method([.list(.parameter("T"))], .list(.parameter("T")))],
      .one { (value, _) throws(EvaluationError) in
        if case .list(let elements) = value { return .list(elements.reversed()) }
        let text = try scalars(value, "reverse")
        return .string(String(decoding: text.reversed(), as: UTF8.self))
      }),
    Function(
      "replace", "The string with a part replaced by another, everywhere or a limited number of times",
      cost: .bytes(perStep: 2).plus(perCall: 40),
      [.method([.string, .string, .string], .string), .method([.string, .string, .string, .int], .string)],
      .three { (text, old, new, activation) throws(EvaluationError) in
        .string(try replace(text, old, new, .max, activation))
      },
      .many { (values, activation) throws(EvaluationError) in
        guard values.count == 4 else { throw EvaluationError(.noSuchOverload, "'replace' takes 2 or 3 arguments") }
        return .string(try replace(values[0], values[1], values[2], try integer(values[3], "replace"), activation))
      }),
    Function(
      "split", "The parts of the string between separators, at most a given number of them", cost: .bytes(perStep: 2),
      [.method([.string, .string], .list(.string)), .method([.string, .string, .int], .list(.string))],
      .two { (text, separator, activation) throws(EvaluationError) in try split(text, separator, -1, activation) },
      .three { (text, separator, limit, activation) throws(EvaluationError) in
        try split(text, separator, try integer(limit, "split"), activation)
      }),
    Function(
      "join", "The strings concatenated, with a separator between them",
      [.method([.list(.string)], .string), .method([.list(.string), .string], .string)],
      .one { (list, activation) throws(EvaluationError) in try join(list, "", activation) },
      .two { (list, separator, activation) throws(EvaluationError) in try join(list, separator, activation) }),
  ]

  private static func scalars(_ value: Value, _ function: String) throws(EvaluationError) -> ScalarText {
    guard case .string(let text) = value else { throw .noOverload(function, value) }
    return ScalarText(text)
  }

  private static func bytes(_ value: Value, _ function: String) throws(EvaluationError) -> [UInt8] {
    guard case .string(let text) = value else { throw .noOverload(function, value) }
    return Array(text.utf8)
  }

  private static func integer(_ value: Value, _ function: String) throws(EvaluationError) -> Int {
    guard case .int(let number) = value else { throw .noOverload(function, value) }
    return Int(clamping: number)
  }

  private static func noPlace(_ text: ScalarText, _ place: Int) -> EvaluationError {
    EvaluationError(.indexOutOfBounds, "a string of \(text.count) characters has no character at \(place)")
  }

  private static func noPart(_ text: ScalarText, from start: Int, to end: Int) -> EvaluationError {
    EvaluationError(.indexOutOfBounds, "a string of \(text.count) characters has no range from \(start) to \(end)")
  }

  private static func slice(_ text: ScalarText, _ start: Int, _ end: Int?) throws(EvaluationError) -> String {
    guard let lower = text.offset(of: start), let upper = end.map({ text.offset(of: $0) }) ?? text.bytes.count,
      lower <= upper
    else { throw noPart(text, from: start, to: end ?? text.count) }
    return text.text(lower..<upper)
  }

  /// Returns a function that converts the letters of this range to the other case.
  private static func asciiCased(_ name: String, _ summary: String, _ letters: ClosedRange<UInt8>) -> Function {
    Function(
      name, summary, cost: .bytes(perStep: 2), [.method([.string], .string)],
      .one { (value, _) throws(EvaluationError) in
        var bytes = try bytes(value, name)
        for index in bytes.indices where letters.contains(bytes[index]) { bytes[index] ^= 0x20 }
        return .string(String(decoding: bytes, as: UTF8.self))
      })
  }

  private static func search(_ name: String, _ summary: String, isLast: Bool) -> Function {
    Function(
      name, summary, cost: .bytes(perStep: 2).plus(perCall: 20),
      [
        .method([.string, .string], .int), .method([.string, .string, .int], .int),
        .method([.list(.dyn), .dyn], .int),
      ],
      .two { (value, part, activation) throws(EvaluationError) in
        if case .list(let elements) = value { return .int(try place(of: part, in: elements, isLast, activation)) }
        let (text, part) = (try scalars(value, name), try bytes(part, name))
        let found =
          isLast
          ? try TextSearch.findLast(part, in: text.bytes, upTo: text.bytes.count, activation)
          : try TextSearch.find(part, in: text.bytes, from: 0, activation)
        return .int(Int64(found.map(text.place) ?? -1))
      },
      .three { (value, part, start, activation) throws(EvaluationError) in
        let (text, part) = (try scalars(value, name), try bytes(part, name))
        let place = try integer(start, name)
        guard let start = text.offset(of: place) else {
          throw noPlace(text, place)
        }
        let found =
          isLast
          ? try TextSearch.findLast(part, in: text.bytes, upTo: start, activation)
          : try TextSearch.find(part, in: text.bytes, from: start, activation)
        return .int(Int64(found.map(text.place) ?? -1))
      })
  }

  private static func place(
    of wanted: Value, in elements: ValueList, _ isLast: Bool, _ activation: Activation
  ) throws(EvaluationError) -> Int64 {
    for step in 0..<elements.count {
      let place = isLast ? elements.count - 1 - step : step
      try activation.charge(2)
      if try elements[place].isEqual(to: wanted, activation) { return Int64(place) }
    }
    return -1
  }

  private static func replace(
    _ text: Value, _ old: Value, _ new: Value, _ count: Int, _ activation: Activation
  ) throws(EvaluationError) -> String {
    let text = try scalars(text, "replace")
    let (finder, new) = (try TextFinder(try bytes(old, "replace"), activation), try bytes(new, "replace"))
    var result: [UInt8] = []
    var position = 0
    var left = count < 0 ? Int.max : count
    while left > 0, let place = finder.find(in: text.bytes, from: position) {
      try activation.limitBytes(result.count + (place - position) + new.count)
      try activation.charge(6 + new.count >> 4)
      result += text.bytes[position..<place]
      result += new
      position = place + finder.part.count
      left -= 1
      if finder.part.isEmpty {
        // The empty string occurs before each character and at the end.
        guard position < text.bytes.count else { break }
        let end = text.end(after: position)
        result += text.bytes[position..<end]
        position = end
      }
    }
    try activation.checkBytes(result.count + text.bytes.count - position)
    result += text.bytes[position...]
    return String(decoding: result, as: UTF8.self)
  }

  private static func split(
    _ value: Value, _ separator: Value, _ limit: Int, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    let text = try scalars(value, "split")
    let finder = try TextFinder(try bytes(separator, "split"), activation)
    if limit == 0 { return .list([]) }
    let maximum = limit < 0 ? Int.max : limit
    var parts: [Value] = []
    var position = 0
    while parts.count < maximum - 1 {
      var (end, next) = (position, position)
      if finder.part.isEmpty {
        guard position < text.bytes.count else { break }
        end = text.end(after: position)
        guard end < text.bytes.count else { break }
        next = end
      } else {
        guard let place = finder.find(in: text.bytes, from: position) else { break }
        (end, next) = (place, place + finder.part.count)
      }
      try activation.limitCount(parts.count + 1)
      try activation.charge(8)
      parts.append(.string(text.text(position..<end)))
      position = next
    }
    if !finder.part.isEmpty || position < text.bytes.count {
      parts.append(.string(text.text(position..<text.bytes.count)))
    }
    return .list(parts)
  }

  private static func join(
    _ list: Value, _ separator: Value, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    guard case .list(let elements) = list, case .string(let separator) = separator else {
      throw .noOverload("join", list, separator)
    }
    // The length of the result is known before it is built.
    var count = separator.utf8.count * max(0, elements.count - 1)
    for element in elements {
      guard case .string(let part) = element else { throw .noOverload("join", element) }
      count += part.utf8.count
      try activation.limitBytes(count)
    }
    try activation.checkBytes(count)
    var result = ""
    result.reserveCapacity(count)
    for (index, element) in elements.enumerated() {
      guard case .string(let part) = element else { continue }
      if index > 0 { result += separator }
      result += part
    }
    return .string(result)
  }
}
