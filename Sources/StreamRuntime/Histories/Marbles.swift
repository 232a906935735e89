public import StreamCore

/// A marble diagram: RxJS's run-mode notation of a history as text.
///
/// `-` one frame; a letter or digit: a value, and one frame; `( )`: all at one instant, which costs as many frames as
/// it has characters, as in RxJS; `[ ]`: all at one instant, which costs one frame; `|` the end; `#` the failure; `^`
/// the subscription, which is time zero; `!` the end of a subscription; ` 10ms ` between spaces: that much time (`ms`,
/// `s`, `m`); `'text'`: a value with a long name. Spaces alone mean nothing.
public struct Marbles: Hashable, Sendable {
  public let diagram: String
  /// What the symbols stand for; a symbol that is not there stands for its own text.
  public let values: [String: Value]
  /// Nanoseconds of a frame. Default 1 ms.
  public let frame: Interval
  /// The failure that `#` stands for.
  public let failure: Value

  /// One millisecond.
  public static let defaultFrame = Interval(nanoseconds: 1_000_000)

  public init(
    _ diagram: String, values: [String: Value] = [:], frame: Interval = Marbles.defaultFrame,
    failure: Value = "error"
  ) {
    self.diagram = diagram
    self.values = values
    self.frame = frame
    self.failure = failure
  }

  /// The history that the diagram shows.
  ///
  /// - Throws: a `Diagnostic` of code `invalidMarbles` that points into the diagram.
  public func history() throws(Diagnostic) -> History {
    var reader = MarbleReader(marbles: self)
    return try reader.read()
  }
}

/// Reads one diagram from left to right.
private struct MarbleReader {
  let marbles: Marbles
  let characters: [Character]
  /// Offsets in UTF-8 of each character, for errors.
  let offsets: [Int]
  var place = 0
  var time: Int64 = 0
  var zero: Int64 = 0
  var group: (close: Character, start: Int, opened: Int)?
  var events: [TimedEvent] = []
  var hasEnded = false

  init(marbles: Marbles) {
    self.marbles = marbles
    characters = Array(marbles.diagram)
    var offset = 0
    var offsets: [Int] = []
    for character in characters {
      offsets.append(offset)
      offset += character.utf8.count
    }
    self.offsets = offsets + [offset]
  }

  mutating func read() throws(Diagnostic) -> History {
    while place < characters.count {
      let character = characters[place]
      switch character {
      case " ", "\t", "\n", "\r\n":
        place += 1
      case "-":
        guard group == nil else { throw problem("'-' cannot stand inside a group") }
        step()
      case "(", "[":
        guard group == nil else { throw problem("a group cannot stand inside a group") }
        group = (character == "(" ? ")" : "]", place, events.count)
        place += 1
      case ")", "]":
        try closeGroup(character)
      case "|":
        try add(.finished)
      case "#":
        try add(.failure(StreamFailure(payload: marbles.failure)))
      case "^":
        guard group == nil else { throw problem("'^' cannot stand inside a group") }
        zero = time
        step()
      case "!":
        step()
      case "'":
        try add(.value(value(named: try quotedName())))
      default:
        if character.isWholeNumber, group == nil, let span = timeSpan() {
          time = time &+ span.nanoseconds
        } else {
          try add(.value(value(named: String(character))))
        }
      }
    }
    if let group { throw problem("the group is not closed by '\(group.close)'", at: group.start) }
    return History(
      events.map { TimedEvent(StreamTime(nanoseconds: $0.time.nanoseconds - zero), $0.event) })
  }

  private func value(named name: String) -> Value { marbles.values[name] ?? .string(name) }

  private mutating func step() {
    time = time &+ marbles.frame.nanoseconds
    place += 1
  }

  private mutating func add(_ event: ExecutionEvent) throws(Diagnostic) {
    guard !hasEnded else { throw problem("nothing can come after the end") }
    events.append(TimedEvent(StreamTime(nanoseconds: time), event))
    if case .value = event {} else { hasEnded = true }
    if group == nil { step() } else { place += 1 }
  }

  private mutating func closeGroup(_ character: Character) throws(Diagnostic) {
    guard let open = group, open.close == character else {
      throw problem("'\(character)' closes no group")
    }
    place += 1
    // RxJS counts the characters of a group; between brackets it is one instant and one frame.
    let frames = character == ")" ? place - open.start : 1
    time = time &+ Int64(frames) &* marbles.frame.nanoseconds
    group = nil
  }

  private mutating func quotedName() throws(Diagnostic) -> String {
    let start = place
    guard let end = characters[(place + 1)...].firstIndex(of: "'") else {
      throw problem("the name is not closed by \"'\"", at: start)
    }
    let name = String(characters[(start + 1)..<end])
    place = end
    return name
  }

  /// A number with a unit, with a space (or an edge) on both sides; moves behind it.
  private mutating func timeSpan() -> Interval? {
    guard place == 0 || characters[place - 1] == " " else { return nil }
    var end = place
    while end < characters.count, characters[end].isWholeNumber || characters[end] == "." { end += 1 }
    guard let number = Double(String(characters[place..<end])) else { return nil }
    var unit = ""
    while end < characters.count, characters[end].isLetter {
      unit.append(characters[end])
      end += 1
    }
    let seconds: Double? =
      switch unit {
      case "ms": number / 1000
      case "s": number
      case "m": number * 60
      default: nil
      }
    guard let seconds, end == characters.count || characters[end] == " " else { return nil }
    place = end
    return Interval(seconds: seconds)
  }

  private func problem(_ message: String, at place: Int? = nil) -> Diagnostic {
    let place = place ?? self.place
    let start = offsets[min(place, characters.count)]
    let end = offsets[min(place + 1, characters.count)]
    return Diagnostic(
      .invalidMarbles, message, part: .text(start..<max(end, start)),
      help: "a diagram is written so: -a-(bc)-'name'- 10ms -d| with # for a failure in place of |")
  }
}
