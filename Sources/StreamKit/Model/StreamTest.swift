public import StreamCore

/// A test of a stream, stored in the stream's file and run in virtual time.
///
/// ```swift
/// model.tests = [
///   StreamTest(
///     name: "doubles", inputs: ["in": StreamTest.EventScript(.values([1, 2]))],
///     expect: StreamTest.EventScript(.values([2, 4])))
/// ]
/// ```
public struct StreamTest: StreamFilePart {
  /// The name of the test: a sentence that states the expected behavior.
  public var name: String
  /// Events fed to inputs, and events that replace named streams.
  public var inputs: Members<EventScript>
  /// Results of host functions, by name.
  public var calls: Members<CallScript>
  /// Values of the file's parameters, by name.
  package var parameters = ValueMap()
  /// End of the run in seconds of virtual time. Without it the stream runs until nothing more can happen.
  public var seconds: Double?
  public var expect: EventScript
  /// Custom members, whose names begin with `x-`.
  public var extensions: ValueMap

  public init(
    name: String, inputs: Members<EventScript> = [:],
    calls: Members<CallScript> = [:], seconds: Double? = nil,
    expect: EventScript,
    extensions: ValueMap = ValueMap()
  ) {
    self.name = name
    self.inputs = inputs
    self.calls = calls
    self.seconds = seconds
    self.expect = expect
    self.extensions = extensions
  }

  package static let keys = ["name", "parameters", "inputs", "calls", "for", "expect"]

  public init(json: Value) throws(Diagnostics) {
    var reader = MemberReader(json, what: "a test", keys: Self.keys)
    try reader.throwUnlessObject()
    name = reader.string("name") ?? ""
    if !reader.has("name") { reader.missing("name", in: "a test") }
    parameters = reader.object("parameters") ?? ValueMap()
    inputs = reader.named("inputs", what: "an input") { value in
      MemberReader.part(or: EventScript(.values([]))) { () throws(Diagnostics) in
        try EventScript(value, what: "what is fed")
      }
    }
    calls = reader.named("calls", what: "a function") { value in
      MemberReader.part(or: CallScript([])) { () throws(Diagnostics) in try CallScript(json: value) }
    }
    seconds = reader.seconds("for")
    if let seconds, seconds < 0 {
      reader.append(
        Diagnostic(.outOfRange, "'for' is \(seconds.shortText); expected 0 seconds or more", at: JSONPointer(["for"])))
    }
    expect = EventScript(.values([]))
    if let value = reader.value("expect") {
      do throws(Diagnostics) {
        expect = try EventScript(value, what: "an expectation", hasOutputs: true)
      } catch {
        reader.append(error, under: "expect")
      }
    } else {
      reader.missing("expect", in: "a test")
    }
    extensions = reader.extensions
    try reader.diagnostics.throwErrors()
  }

  public var json: Value {
    var writer = MemberWriter()
    writer.add("name", name)
    if parameters.count > 0 { writer.add("parameters", Value.map(parameters)) }
    writer.add("inputs", inputs.mapValues(\.json))
    writer.add("calls", calls.mapValues(\.json))
    writer.add("for", seconds.map(Value.seconds))
    writer.add("expect", expect.json)
    writer.add(extensions)
    return writer.value
  }
}

extension StreamTest {
  /// Reads the member `tests`.
  ///
  /// Two tests of one list cannot have the same name: by it they are found again in another version of the file.
  static func readAll(_ reader: inout MemberReader) -> [StreamTest] {
    let tests = reader.elements("tests") { value throws(Diagnostics) in try StreamTest(json: value) } ?? []
    guard case .list(let written)? = reader.value("tests"), written.count > 1 else { return tests }
    var seen: Set<String> = []
    for (index, test) in written.enumerated() {
      guard let name = test.member("name")?.text, !seen.insert(name).inserted else { continue }
      reader.append(
        Diagnostic(
          .duplicateName, "another test already has the name \"\(name)\"",
          at: JSONPointer(["tests", String(index), "name"]), help: "give each test a unique name"))
    }
    return tests
  }
}
