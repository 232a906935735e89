internal import CLibrary
internal import StreamCore

/// The form of messages on standard error.
package enum LogFormat: String, CaseIterable, Sendable {
  /// Lines for people.
  case text
  /// A JSON object on each line, for programs that collect logs.
  case json
}

/// A message as a line of JSON. Every key is present; an unknown value is null.
struct LogLine {
  var level: String
  var code: String?
  var message: String
  var place: String?
  var help: String?
  var notes: [String] = []

  /// The beginnings of lines for people that give a message's level. The argument parser writes them with a capital.
  private static let levels = ["error", "warning", "note", "help"]

  /// Creates the line of a text for people.
  init(_ text: String) {
    let level = Self.levels.first { text.prefix($0.count + 2).lowercased() == "\($0): " }
    self.level = level ?? "note"
    message = level.map { String(text.dropFirst($0.count + 2)) } ?? text
  }

  init(level: String, _ message: String) { (self.level, self.message) = (level, message) }

  init(_ diagnostic: Diagnostic) {
    level = diagnostic.severity.rawValue
    code = diagnostic.code.rawValue
    message = diagnostic.message
    help = diagnostic.help
    notes = diagnostic.notes
    if let location = diagnostic.location {
      place = "\(location.file):\(location.line):\(location.column)"
    } else if !diagnostic.pointer.tokens.isEmpty {
      place = diagnostic.pointer.description
    }
  }

  var text: String {
    func string(_ text: String?) -> Value { text.map(Value.string) ?? .null }
    var members: [(Value, Value)] = [
      ("time", .string(Self.now)), ("level", .string(level)), ("code", string(code)), ("message", .string(message)),
      ("place", string(place)), ("help", string(help)),
    ]
    if !notes.isEmpty { members.append(("notes", .list(notes.map(Value.string)))) }
    return VisibleText.json(JSONWriter.compact(.map(ValueMap(members))))
  }

  /// The present time, to the millisecond.
  private static var now: String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000).rfc3339
  }
}

extension LogFormat {
  /// The form that arguments ask for, also if they cannot be parsed.
  package static func requested(by arguments: [String]) -> LogFormat {
    for (place, argument) in arguments.enumerated() {
      if argument == "--log=json" { return .json }
      if argument == "--log", arguments.dropFirst(place + 1).first == "json" { return .json }
    }
    return .text
  }
}
