package import StreamCore

/// A test of a file, of its stream or of one of its definitions, and where it stands.
package struct PlacedTest: Sendable {
  /// The test; the name of a definition's test has the name of the definition as a prefix: `smooth: a burst is one value`.
  package let test: StreamTest
  package let pointer: JSONPointer

  /// The input that feeds a definition in its tests.
  static let inputName = "values"
}

extension StreamModel {
  /// The tests of the stream, then those of its definitions.
  package var placedTests: [PlacedTest] {
    var placed = tests.enumerated().map { PlacedTest(test: $1, pointer: JSONPointer(["tests", String($0)])) }
    for (name, definition) in definitions {
      placed += definition.tests.enumerated().map { index, test in
        var test = test
        test.name = "\(name): \(test.name)"
        return PlacedTest(test: test, pointer: JSONPointer(["definitions", name, "tests", String(index)]))
      }
    }
    return placed
  }

  /// Returns the error of a test of a definition that gives no value to a parameter without a default; nil if it gives
  /// all of them.
  func missingArgument(ofTestAt pointer: JSONPointer, _ test: StreamTest) -> Diagnostic? {
    guard pointer.tokens.first == "definitions", pointer.tokens.count > 1,
      let definition = definitions[pointer.tokens[1]]
    else { return nil }
    func isMissing(_ name: String, _ declaration: ParameterDeclaration) -> Bool {
      declaration.defaultValue == nil && test.parameters[name] == nil
    }
    let own = definition.parameters.first { isMissing($0, $1) }
    let open = own == nil ? parameters.filter { isMissing($0, $1) } : []
    let used = open.isEmpty ? [] : wordsUsed(inDefinition: pointer.tokens[1])
    guard let (name, declaration) = own ?? open.first(where: { used.contains($0.name) }) else { return nil }
    let isFirst = test.parameters.count == 0
    let sample = JSONWriter.compact(Compiler.sample(declaration.declaredType).value)
    return Diagnostic(
      .missingField,
      "\(ReferenceNote.definition(pointer.tokens[1])) needs the parameter '\(name)'"
        + "\(own == nil ? " of the file" : "") in its tests",
      at: isFirst ? pointer : pointer.appending("parameters"),
      help: (isFirst ? "add \"parameters\": {\"\(name)\": \(sample)} to the test" : "add \"\(name)\": \(sample)")
        + ", or give the parameter a \"default\"")
  }

  /// Returns the stream that a test is for: this one, or one that applies the definition to the input `values`.
  func subject(ofTestAt pointer: JSONPointer, _ test: StreamTest) -> StreamModel {
    guard pointer.tokens.first == "definitions", pointer.tokens.count > 1,
      let definition = definitions[pointer.tokens[1]]
    else { return self }
    var subject = self
    // The tests of a definition need no value for a parameter of the file that the definition does not use.
    let open = parameters.filter { $1.defaultValue == nil && test.parameters[$0] == nil }
    let used = open.isEmpty ? [] : wordsUsed(inDefinition: pointer.tokens[1])
    for (name, declaration) in open where !used.contains(name) {
      subject.parameters[name]?.defaultValue = Compiler.sample(declaration.declaredType).value
    }
    var fields: [(Value, Value)] = [("definition", .string(pointer.tokens[1]))]
    for (name, declaration) in definition.parameters {
      let isGiven = test.parameters[name] != nil
      // The argument becomes one of the file, so that a message about it names the test.
      if isGiven || declaration.defaultValue != nil { subject.parameters[name] = declaration }
      guard isGiven else { continue }
      fields.append((.string(name), .map(ValueMap([(.string(Operator.Custom.referenceKey), .string(name))]))))
    }
    if subject.inputs[PlacedTest.inputName] == nil { subject.inputs[PlacedTest.inputName] = InputDeclaration() }
    subject.source = .input(PlacedTest.inputName)
    (subject.sourceExtensions, subject.partition, subject.outputs) = (SourceExtensions(), nil, [:])
    subject.operators = [
      PlacedOperator(.custom(Operator.Custom(name: Operator.Custom.applyName, fields: .map(ValueMap(fields)))))
    ]
    return subject
  }

  /// Returns the words in a definition, and in the streams and definitions that it mentions.
  private func wordsUsed(inDefinition name: String) -> Set<String> {
    var (used, texts) = (Set<String>(), [definitions[name].map { JSONWriter.compact($0.json) } ?? ""])
    while let text = texts.popLast() {
      for word in text.words where used.insert(word).inserted {
        if let stream = streams[word] { texts.append(JSONWriter.compact(stream.json)) }
        if let definition = definitions[word] { texts.append(JSONWriter.compact(definition.json)) }
      }
    }
    return used
  }
}
