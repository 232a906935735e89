internal import StreamCore

/// Shrinking (QuickCheck, Claessen and Hughes, 2000): a pipeline that shows a difference is replaced by smaller ones as
/// long as they show it.
extension Differential {
  /// Returns the smallest pipeline found that differs in a mode.
  ///
  /// - Parameters:
  ///   - pipeline: A pipeline that differs.
  ///   - mode: The mode in which it differs.
  ///   - attempts: Maximum number of pipelines to try.
  public static func shrunk(_ pipeline: RandomPipeline, in mode: Mode, attempts: Int = 2_000) -> RandomPipeline {
    shrunk(pipeline, attempts: attempts) { differs($0, in: mode) }
  }

  /// Returns the smallest pipeline found for which a predicate is true.
  package static func shrunk(
    _ pipeline: RandomPipeline, attempts: Int, while isWanted: (RandomPipeline) -> Bool
  ) -> RandomPipeline {
    var smallest = pipeline
    var remaining = attempts
    while remaining > 0 {
      var found: RandomPipeline?
      for candidate in smallest.smaller {
        remaining -= 1
        if isWanted(candidate) { found = candidate }
        if found != nil || remaining == 0 { break }
      }
      guard let found else { break }
      smallest = found
    }
    return smallest
  }

  private static func differs(_ pipeline: RandomPipeline, in mode: Mode) -> Bool {
    guard let differential = try? Differential(pipeline), differential.modes.contains(mode) else { return false }
    return differential.differences(in: [mode])?.isEmpty == false
  }
}

extension RandomPipeline {
  /// The stream file and the events, for a report.
  public var report: String {
    let file = JSONWriter.pretty(model)
    guard let events else { return "seed \(seed)\n\(file)" }
    return "seed \(seed)\n\(file)\nEvents: \(events.map(\.description).joined(separator: ", "))"
  }

  /// Pipelines that are a little smaller, the smallest first.
  fileprivate var smaller: some Sequence<RandomPipeline> {
    let models = Self.smaller(model).lazy.map { model in
      var copy = self
      copy.model = model
      return copy
    }
    let feeds = smallerFeeds.lazy.map { feed in
      var copy = self
      copy.feed = feed
      return copy
    }
    return [AnySequence(feeds), AnySequence(models)].lazy.joined()
  }

  private var smallerFeeds: [Feed] {
    switch feed {
    case .source: []
    case .readings(let readings): Self.shorter(readings).map { .readings($0) }
    case .events(let events):
      Self.shorter(events).map { .events($0) }
        + events.indices.flatMap { place in
          guard case .value(let value) = events[place].kind else { return [Feed]() }
          return Self.smaller(value).map { value in
            var changed = events
            changed[place].kind = .value(value)
            return .events(changed)
          }
        }
    }
  }

  /// Returns a list without parts of it, the largest parts first.
  private static func shorter<Element>(_ list: [Element]) -> [[Element]] {
    var lists: [[Element]] = []
    var length = list.count / 2
    while length > 0 {
      for start in stride(from: 0, to: list.count, by: length) {
        lists.append(Array(list[..<start] + list[min(start + length, list.count)...]))
      }
      length /= 2
    }
    return lists
  }

  /// Returns simpler values: with fewer elements and members, smaller numbers and shorter expressions.
  private static func smaller(_ value: Value) -> [Value] {
    switch value {
    case .int(let number) where number != 0: return number == 1 ? [0] : [0, 1, .int(number / 2)]
    case .double(let number) where number != 0: return [.double(0), .double(number.rounded())].filter { $0 != value }
    case .string(let text): return shorterExpressions(text).map { .string($0) }
    case .list(let elements):
      let changed: [Value] = elements.indices.flatMap { place in
        smaller(elements[place]).map { element in
          var elements = elements
          elements[place] = element
          return .list(elements)
        }
      }
      return shorter(elements.elements).map { .list($0) } + changed
    case .map(let map):
      let pairs = map.pairs.map { ($0, $1) }
      let removed = pairs.indices.map { place in pairs.enumerated().filter { $0.offset != place }.map(\.element) }
      let changed = pairs.indices.flatMap { place in
        smaller(pairs[place].1).map { value in
          pairs.enumerated().map { $0.offset == place ? ($0.element.0, value) : $0.element }
        }
      }
      return (removed + changed).map { .map(ValueMap($0)) }
    default: return []
    }
  }

  /// Returns texts in which parentheses with their contents are replaced by a constant, a variable, or the contents'
  /// last part.
  private static func shorterExpressions(_ text: String) -> [String] {
    let characters = Array(text)
    var starts: [Int] = []
    var found: [String] = []
    for (end, character) in characters.enumerated() {
      if character == "(" { starts.append(end) }
      guard character == ")", let start = starts.popLast() else { continue }
      let (before, after) = (String(characters[..<start]), String(characters[(end + 1)...]))
      let inside = String(characters[(start + 1)..<end])
      let parts =
        ["1", "value", "true"] + inside.components(separatedBy: [" ? ", " : ", " + ", " - ", " && ", " || "])
      found += parts.map { before + $0 + after }
    }
    return found.filter { $0.count < text.count }
  }
}

extension String {
  fileprivate func components(separatedBy separators: [String]) -> [String] {
    separators.reduce([self]) { parts, separator in
      parts.flatMap { $0.split(separator: separator).map(String.init) }
    }
  }
}
