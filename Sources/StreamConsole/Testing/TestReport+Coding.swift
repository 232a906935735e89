internal import StreamCore
internal import StreamFiles
internal import StreamKit

// The JSON form of test reports, which worker processes send to the process that prints them.

extension TestReport.File {
  /// The report without the name of the file, which the reader knows.
  var coded: Value {
    [
      "entries": .list(entries.map(\.value)), "problems": .list(problems.all.map(\.coded)),
      "sources": .list(
        sources.map { source in
          [
            "file": .string(source.file), "bytes": .string(Base64.text(source.bytes)),
            "firstLine": .int(Int64(source.firstLine)),
          ]
        }),
      "sourceFiles": .list(sourceFiles.map(Value.string)), "hasTests": .bool(hasTests),
      "parameters": .list(parameters.map(Value.string)),
      "coverage": coverage?.coded ?? .null,
      "newText": newText.map { .string(Base64.text($0)) } ?? .null, "isInterrupted": .bool(isInterrupted),
      "hasExhaustedMemory": .bool(hasExhaustedMemory),
      "stamp": .list(stamp?.numbers.map(Value.int) ?? []),
    ]
  }

  init?(coded value: Value, name: String) {
    guard case .list(let entries)? = value.member("entries"), case .list(let problems)? = value.member("problems"),
      case .list(let sources)? = value.member("sources"), case .bool(let hasTests)? = value.member("hasTests")
    else { return nil }
    self.name = name
    self.entries = entries.compactMap(TestReport.Entry.init)
    self.problems = Diagnostics(problems.compactMap(Diagnostic.init(coded:)))
    self.sources = sources.compactMap { source in
      guard let file = source.member("file")?.text, let text = source.member("bytes")?.text,
        let bytes = Base64.bytes(text), case .int(let line)? = source.member("firstLine")
      else { return nil }
      return SourceText(file: file, bytes: bytes, firstLine: Int(line))
    }
    sourceFiles = value.texts("sourceFiles")
    self.hasTests = hasTests
    parameters = value.texts("parameters")
    coverage = value.member("coverage").flatMap(TestCoverage.init(coded:))
    newText = value.member("newText")?.text.flatMap(Base64.bytes)
    isInterrupted = value.member("isInterrupted") == .bool(true)
    hasExhaustedMemory = value.member("hasExhaustedMemory") == .bool(true)
    if case .list(let numbers)? = value.member("stamp") { stamp = FileStamp(numbers: numbers.compactMap(\.number)) }
    guard self.entries.count == entries.count, self.problems.all.count == problems.count else { return nil }
  }
}

extension TestReport.Entry {
  fileprivate var value: Value {
    [
      "name": .string(outcome.name), "pointer": .list(outcome.pointer.tokens.map(Value.string)),
      "differences": .list(outcome.differences.map(Value.string)), "status": .string(status.rawValue),
      "location": location?.coded ?? .null,
    ]
  }

  fileprivate init?(_ value: Value) {
    guard let name = value.member("name")?.text,
      let status = value.member("status")?.text.flatMap(TestReport.Status.init)
    else { return nil }
    outcome = TestOutcome(
      name: name, pointer: JSONPointer(value.texts("pointer")), differences: value.texts("differences"))
    location = value.member("location").flatMap(Diagnostic.Location.init(coded:))
    self.status = status
  }
}

extension TestCoverage {
  fileprivate var coded: Value {
    [
      "operators": Self.coded(operators), "branches": Self.coded(branches),
      "uncovered": .list(uncovered.map(\.coded)),
    ]
  }

  private static func coded(_ share: Share) -> Value { [.int(Int64(share.covered)), .int(Int64(share.total))] }

  private static func share(_ value: Value?) -> Share? {
    guard case .list(let parts)? = value, parts.count == 2, case .int(let covered) = parts[0],
      case .int(let total) = parts[1]
    else { return nil }
    return Share(covered: Int(covered), total: Int(total))
  }

  fileprivate init?(coded value: Value) {
    guard let operators = Self.share(value.member("operators")), let branches = Self.share(value.member("branches")),
      case .list(let notes)? = value.member("uncovered")
    else { return nil }
    self.init(
      operators: operators, branches: branches, uncovered: notes.compactMap(Diagnostic.init(coded:)))
  }
}

extension Diagnostic {
  fileprivate var coded: Value {
    [
      "severity": .string(severity.rawValue), "code": .string(code.rawValue), "message": .string(message),
      "pointer": .list(pointer.tokens.map(Value.string)), "part": part.coded, "location": location?.coded ?? .null,
      "notes": .list(notes.map(Value.string)), "help": help.map(Value.string) ?? .null,
    ]
  }

  fileprivate init?(coded value: Value) {
    guard let severity = value.member("severity")?.text.flatMap(Severity.init),
      let code = value.member("code")?.text.flatMap(DiagnosticCode.init), let message = value.member("message")?.text
    else { return nil }
    self.init(
      code, message, at: JSONPointer(value.texts("pointer")), part: Part(coded: value.member("part")),
      severity: severity, notes: value.texts("notes"), help: value.member("help")?.text,
      location: value.member("location").flatMap(Location.init(coded:)))
  }
}

extension Diagnostic.Part {
  fileprivate var coded: Value {
    switch self {
    case .key: "key"
    case .value: "value"
    case .text(let range): .range(range)
    }
  }

  fileprivate init(coded value: Value?) {
    if let range = value?.range { self = .text(range) } else { self = value?.text == "key" ? .key : .value }
  }
}

extension Diagnostic.Location {
  fileprivate var coded: Value {
    ["file": .string(file), "bytes": .range(bytes), "line": .int(Int64(line)), "column": .int(Int64(column))]
  }

  fileprivate init?(coded value: Value) {
    guard let file = value.member("file")?.text, let bytes = value.member("bytes")?.range,
      case .int(let line)? = value.member("line"), case .int(let column)? = value.member("column")
    else { return nil }
    self.init(file: file, bytes: bytes, line: Int(line), column: Int(column))
  }
}

extension Value {
  fileprivate static func range(_ range: Range<Int>) -> Value {
    [.int(Int64(range.lowerBound)), .int(Int64(range.upperBound))]
  }

  fileprivate var range: Range<Int>? {
    guard case .list(let ends) = self, ends.count == 2, case .int(let start) = ends[0], case .int(let end) = ends[1],
      start <= end
    else { return nil }
    return Int(start)..<Int(end)
  }

  /// The integer, if it is one.
  fileprivate var number: Int64? { if case .int(let number) = self { number } else { nil } }

  /// The strings of a member that is an array.
  func texts(_ name: String) -> [String] {
    guard case .list(let elements)? = member(name) else { return [] }
    return elements.compactMap(\.text)
  }
}
