internal import StreamCore
internal import StreamEditing
internal import StreamKit
internal import StreamTools

extension StudioRoute {
  /// The tests of drafts.
  static let tests: [StudioRoute] = [
    StudioRoute(.post, "/test", "Runs the tests of a draft", .draft) { studio, request in
      try DraftTests(try request.draft().opened(in: studio.folder), studio).report
    },
    StudioRoute(
      .post, "/test/add", "The draft with a test of what the marbles show",
      .draft + [.body("name"), .optional("inputs", "object"), .optional("seconds", "number")]
    ) { studio, request in
      let inputs = try EventScripts(json: request["inputs"] ?? .map(ValueMap([])))
      return try DraftTests(try request.draft().opened(in: studio.folder), studio)
        .adding(try request.text("name"), inputs.scripts, seconds: try request.seconds("seconds"))
    },
    StudioRoute(
      .post, "/test/update", "The draft with expectations as the stream publishes now", .draft + [.optional("name")]
    ) { studio, request in
      try DraftTests(try request.draft().opened(in: studio.folder), studio).updating(request.optionalText("name"))
    },
  ]
}

/// The tests of a draft.
struct DraftTests {
  private let open: OpenDraft
  private let stream: StreamFile
  private let studio: Studio

  init(_ open: OpenDraft, _ studio: Studio) throws(StudioProblem) {
    self.open = open
    self.studio = studio
    stream = try open.stream()
  }

  private func outcomes(
    of stream: StreamFile, _ options: CompileOptions, where isWanted: (String) -> Bool = { _ in true }
  ) throws(StudioProblem) -> [TestOutcome] {
    var runner = TestRunner(stream, options: options)
    runner.workLimit = studio.runLimits
    do throws(Diagnostics) { return try runner.run(where: isWanted) } catch { throw StudioProblem(error) }
  }

  // MARK: Report

  var report: Value {
    get throws(StudioProblem) {
      var options = open.compileOptions
      let recorder = CoverageRecorder()
      options.coverage = recorder
      let outcomes = try outcomes(of: stream, options)
      let expected = Dictionary(
        stream.model.placedTests.map { ($0.pointer, $0.test.expect.json) }, uniquingKeysWith: { first, _ in first })
      let text = open.document.text
      let coverage = TestCoverage(recorder, in: stream.document)
      return [
        "tests": .list(
          outcomes.map { outcome in
            [
              "name": .string(outcome.name), "passed": .bool(outcome.hasPassed),
              "pointer": .string("\(outcome.pointer)"),
              "range": text.value(of: stream.document.range(of: outcome.pointer)),
              "differences": .list(outcome.differences.map(Value.string)),
              "expected": Value(expected[outcome.pointer].map { PageValue($0).value }),
              "actual": Value(outcome.newExpectation.map { PageValue($0).value }),
              "warnings": .list(outcome.warnings.map { .string($0.message) }),
            ]
          }),
        "coverage": [
          "operators": [.count(coverage.operators.covered), .count(coverage.operators.total)],
          "branches": [.count(coverage.branches.covered), .count(coverage.branches.total)],
          "uncovered": .list(
            coverage.uncovered.map { note in
              [
                "message": .string(note.message), "pointer": .string("\(note.pointer)"),
                "range": Value(note.location.map { text.value(of: $0.bytes) }),
              ]
            }),
        ],
      ]
    }
  }

  // MARK: Edits

  /// Returns the text with a test that expects what the stream publishes for some events.
  func adding(
    _ name: String, _ inputs: Members<StreamTest.EventScript>, seconds: Double?
  ) throws(StudioProblem) -> Value {
    if stream.model.tests.contains(where: { $0.name == name }) {
      throw StudioProblem(.conflict, "the draft has a test '\(name)' already", detail: "choose another name")
    }
    var test = StreamTest(name: name, inputs: inputs, seconds: seconds, expect: StreamTest.EventScript(.events([])))
    let edited = try document(adding: test)
    let trial: StreamFile
    do throws(Diagnostics) { trial = try StreamFile(edited, identity: open.identity) } catch {
      throw StudioProblem(error)
    }
    let outcome = try outcomes(of: trial, open.compileOptions) { $0 == name }.first
    if let outcome, !outcome.hasPassed {
      guard let expectation = outcome.newExpectation else {
        throw StudioProblem(
          .unprocessableContent, "no test can expect the output of the stream",
          detail: outcome.differences.joined(separator: "; "))
      }
      do throws(Diagnostics) { test.expect = try StreamTest.EventScript(json: expectation) } catch {
        throw StudioProblem(error)
      }
    }
    return Self.value(try document(adding: test))
  }

  /// Returns the text with the expectations of a test, or of all that fail, as the stream publishes now.
  func updating(_ name: String?) throws(StudioProblem) -> Value {
    let edits = try outcomes(of: stream, open.compileOptions) { name == nil || $0 == name }
      .filter { !$0.hasPassed }.flatMap { $0.updatingEdits(in: stream.document) ?? [] }
    return Self.value(try document(after: edits))
  }

  private func document(adding test: StreamTest) throws(StudioProblem) -> JSONDocument {
    let edit: StreamEdit =
      stream.document.value.member("tests") == nil
      ? .insert(JSONPointer(["tests"]), JSONFragment(.list([test.json])))
      : .insert(JSONPointer(["tests", "-"]), JSONFragment(test.json))
    return try document(after: [edit])
  }

  private func document(after edits: [StreamEdit]) throws(StudioProblem) -> JSONDocument {
    do throws(Diagnostics) { return try StreamEditor.document(stream.document, after: edits) } catch {
      throw StudioProblem(error)
    }
  }

  private static func value(_ document: JSONDocument) -> Value {
    ["text": .string(String(decoding: document.source.bytes, as: UTF8.self))]
  }
}
