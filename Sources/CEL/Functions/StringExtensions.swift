import StreamCore

extension FunctionCatalogue {
  /// cel-spec's string extension. Places and lengths are counted in Unicode scalars.
  static let stringExtensions: [Function] = [
    Function(
      "charAt", "The character at this place, empty at the end", [.method([.string, .int], .string)],
      .two { (text, place, _) throws(EvaluationError) in
        let (scalars, index) = (try scalars(text, "charAt"), try integer(place, "charAt"))
        if index == scalars.count { return "" }
        return .string(try slice(scalars, index, index + 1))
      }),
    search("indexOf", "The first place from which the other text stands, or -1", isLast: false),
    search("lastIndexOf", "The last place from which the other text stands, or -1", isLast: true),
    Function(
      "substring", "The part from one place up to before another, or to the end",
      [.method([.string, .int], .string), .method([.string, .int, .int], .string)],
      .two { (text, start, _) throws(EvaluationError) in
        let scalars = try scalars(text, "substring")
        return .string(try slice(scalars, try integer(start, "substring"), scalars.count))
      },
      .three { (text, start, end, _) throws(EvaluationError) in
        let scalars = try scalars(text, "substring")
        return .string(try slice(scalars, try integer(start, "substring"), try integer(end, "substring")))
      }),
    mapping("lowerAscii", "The text with A to Z made small") { $0.map { asciiCase($0, from: "A", to: "a") } },
    mapping("upperAscii", "The text with a to z made capital") { $0.map { asciiCase($0, from: "a", to: "A") } },
    mapping("trim", "The text without blanks at both ends") { scalars in
      let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.count
      let end = scalars.lastIndex { !$0.properties.isWhitespace } ?? start - 1
      return Array(scalars[start..<max(start, end + 1)])
    },
    Function(
      "reverse", "The text or the list backwards",
      [.method([.string], .string), .method([.list(.parameter("T"))], .list(.parameter("T")))],
      .one { (value, activation) throws(EvaluationError) in
        if case .list(let elements) = value {
          try activation.charge(elements.count / 8)
          return .list(elements.reversed())
        }
        let scalars = try scalars(value, "reverse")
        try activation.charge(scalars.count / 16)
        return .string(text(scalars.reversed()))
      }),
    Function(
      "replace", "The text with one part replaced by another, everywhere or so many times",
      [.method([.string, .string, .string], .string), .method([.string, .string, .string, .int], .string)],
      .three { (text, old, new, activation) throws(EvaluationError) in
        .string(try replace(text, old, new, .max, activation))
      },
      .many { (values, activation) throws(EvaluationError) in
        guard values.count == 4 else { throw EvaluationError(.noSuchOverload, "'replace' takes 2 or 3 arguments") }
        return .string(try replace(values[0], values[1], values[2], try integer(values[3], "replace"), activation))
      }),
    Function(
      "split", "The parts between a separator, all or so many at most",
      [.method([.string, .string], .list(.string)), .method([.string, .string, .int], .list(.string))],
      .two { (text, separator, activation) throws(EvaluationError) in try split(text, separator, -1, activation) },
      .three { (text, separator, limit, activation) throws(EvaluationError) in
        try split(text, separator, try integer(limit, "split"), activation)
      }),
    Function(
      "join", "The texts one after the other, a separator between them",
      [.method([.list(.string)], .string), .method([.list(.string), .string], .string)],
      .one { (list, activation) throws(EvaluationError) in try join(list, "", activation) },
      .two { (list, separator, activation) throws(EvaluationError) in try join(list, separator, activation) }),
  ]

  private typealias Scalars = [Unicode.Scalar]

  private static func scalars(_ value: Value, _ function: String) throws(EvaluationError) -> Scalars {
    guard case .string(let text) = value else { throw .noOverload(function, value) }
    return Array(text.unicodeScalars)
  }

  private static func integer(_ value: Value, _ function: String) throws(EvaluationError) -> Int {
    guard case .int(let number) = value else { throw .noOverload(function, value) }
    return Int(clamping: number)
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func slice(_ scalars: Scalars, _ start: Int, _ end: Int) throws(EvaluationError) -> String {
    guard start >= 0, start <= end, end <= scalars.count else {
      throw EvaluationError(
        .indexOutOfBounds, "a text of \(scalars.count) characters has no part from \(start) to \(end)")
    }
    return text(scalars[start..<end])
  }

  private static func asciiCase(
    _ scalar: Unicode.Scalar, from: Unicode.Scalar, to: Unicode.Scalar
  ) -> Unicode.Scalar {
    guard scalar.value >= from.value, scalar.value < from.value + 26 else { return scalar }
    return Unicode.Scalar(scalar.value - from.value + to.value) ?? scalar
  }

  private static func mapping(
    _ name: String, _ summary: String, _ body: @escaping @Sendable ([Unicode.Scalar]) -> [Unicode.Scalar]
  ) -> Function {
    Function(
      name, summary, [.method([.string], .string)],
      .one { (value, activation) throws(EvaluationError) in
        let scalars = try scalars(value, name)
        try activation.charge(scalars.count / 16)
        return .string(text(body(scalars)))
      })
  }

  private static func search(_ name: String, _ summary: String, isLast: Bool) -> Function {
    Function(
      name, summary, [.method([.string, .string], .int), .method([.string, .string, .int], .int)],
      .two { (value, part, activation) throws(EvaluationError) in
        let (text, part) = (try scalars(value, name), try scalars(part, name))
        try activation.charge((text.count + part.count) / 16)
        let place =
          isLast
          ? TextSearch.findLast(part, in: text, upTo: text.count) : TextSearch.find(part, in: text, from: 0)
        return .int(Int64(place ?? -1))
      },
      .three { (value, part, start, activation) throws(EvaluationError) in
        let (text, part) = (try scalars(value, name), try scalars(part, name))
        let start = try integer(start, name)
        try activation.charge((text.count + part.count) / 16)
        guard start >= 0, start <= text.count else {
          throw EvaluationError(.indexOutOfBounds, "a text of \(text.count) characters has none at \(start)")
        }
        let place =
          isLast
          ? TextSearch.findLast(part, in: text, upTo: start) : TextSearch.find(part, in: text, from: start)
        return .int(Int64(place ?? -1))
      })
  }

  private static func replace(
    _ text: Value, _ old: Value, _ new: Value, _ count: Int, _ activation: Activation
  ) throws(EvaluationError) -> String {
    let (scalars, old, new) = (
      try scalars(text, "replace"), try scalars(old, "replace"), try scalars(new, "replace")
    )
    var result: Scalars = []
    var position = 0
    var left = count < 0 ? Int.max : count
    while left > 0, let place = TextSearch.find(old, in: scalars, from: position) {
      try activation.limitBytes(result.count + new.count)
      result += scalars[position..<place]
      result += new
      position = place + old.count
      left -= 1
      if old.isEmpty {
        // Nothing stands before each character and at the end.
        guard position < scalars.count else { break }
        result.append(scalars[position])
        position += 1
      }
    }
    result += scalars[min(position, scalars.count)...]
    try activation.checkBytes(result.count)
    return Self.text(result)
  }

  private static func split(
    _ value: Value, _ separator: Value, _ limit: Int, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    let (scalars, separator) = (try scalars(value, "split"), try scalars(separator, "split"))
    try activation.checkCount(scalars.count)
    if limit == 0 { return .list([]) }
    let maximum = limit < 0 ? Int.max : limit
    var parts: [Value] = []
    var position = 0
    while parts.count < maximum - 1 {
      if separator.isEmpty {
        guard position + 1 < scalars.count else { break }
        parts.append(.string(text(scalars[position...position])))
        position += 1
      } else {
        guard let place = TextSearch.find(separator, in: scalars, from: position) else { break }
        parts.append(.string(text(scalars[position..<place])))
        position = place + separator.count
      }
    }
    if !separator.isEmpty || position < scalars.count { parts.append(.string(text(scalars[position...]))) }
    return .list(parts)
  }

  private static func join(
    _ list: Value, _ separator: Value, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    guard case .list(let elements) = list, case .string(let separator) = separator else {
      throw .noOverload("join", list, separator)
    }
    var result = ""
    for (index, element) in elements.enumerated() {
      guard case .string(let part) = element else { throw .noOverload("join", element) }
      if index > 0 { result += separator }
      result += part
      try activation.limitBytes(result.utf8.count)
    }
    try activation.checkBytes(result.utf8.count)
    return .string(result)
  }
}
