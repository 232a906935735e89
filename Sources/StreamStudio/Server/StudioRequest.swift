internal import StreamCore

/// The JSON object of a request.
struct StudioRequest: Sendable {
  let body: Value
  let query: [String: String]

  subscript(name: String) -> Value? {
    guard let value = body.member(name), value != .null else { return nil }
    return value
  }

  func text(_ name: String) throws(StudioProblem) -> String {
    if let text = query[name] ?? self[name]?.text { return text }
    throw .invalid("'\(name)' is missing; expected a string")
  }

  func optionalText(_ name: String) -> String? { query[name] ?? self[name]?.text }

  func count(_ name: String) throws(StudioProblem) -> Int {
    if case .int(let count)? = self[name], let count = Int(exactly: count), count >= 0 { return count }
    throw .invalid("'\(name)' is missing; expected a number from 0")
  }

  func seconds(_ name: String) throws(StudioProblem) -> Double? {
    guard let value = self[name] else { return nil }
    guard let seconds = value.seconds, seconds >= 0 else { throw .invalid("'\(name)' is not a number of seconds") }
    return seconds
  }

  /// The draft in the request, or in one of its members.
  func draft(_ member: String? = nil) throws(StudioProblem) -> Draft {
    let value = try member.map { name throws(StudioProblem) in try object(name) } ?? body
    guard let path = value.member("path")?.text, let text = value.member("text")?.text else {
      throw .invalid("a draft has a 'path' and a 'text'")
    }
    return Draft(path: path, text: text)
  }

  func object(_ name: String) throws(StudioProblem) -> Value {
    guard let value = self[name], case .map = value else { throw .invalid("'\(name)' is missing; expected an object") }
    return value
  }
}

/// The text of a file in an editor, which need not be on the disk.
struct Draft: Hashable, Sendable {
  /// The path of the file from the folder.
  let path: String
  let text: String
}

extension Value {
  /// A number as a number of seconds.
  var seconds: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number) where number.isFinite: number
    default: nil
    }
  }

  /// An optional value; null for none.
  init(_ value: Value?) { self = value ?? .null }

  static func count(_ count: Int) -> Value { .int(Int64(count)) }

  static func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }
}
