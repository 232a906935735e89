import StreamCore
import StreamKit
import Synchronization
import TestSupport
import Testing

/// The bound of the text that references repeat.
@Suite struct ExpansionTests {
  /// Definitions that each apply the next one twice.
  private static func doubling(_ levels: Int, last: String = #"{"map": {"expression": "value"}}"#) -> String {
    let inner = (0..<levels).map { level in
      let next = #"{"apply": {"definition": "d\#(level + 1)"}}"#
      return #""d\#(level)": {"operators": [\#(next), \#(next)]}"#
    }
    return (inner + [#""d\#(levels)": {"operators": [\#(last)]}"#]).joined(separator: ", ")
  }

  private static func file(_ levels: Int, _ operators: String = #"[{"apply": {"definition": "d0"}}]"#) -> String {
    #"{"definitions": {\#(doubling(levels))}, "stream": [{"value": 1}], "operators": \#(operators)}"#
  }

  /// The errors of a file.
  private func errors(in text: String, _ change: (inout CompileOptions) -> Void = { _ in }) throws -> [Diagnostic] {
    let file = try stream(text, file: "one.json")
    var options = CompileOptions()
    change(&options)
    do throws(Diagnostics) {
      _ = try file.compile(options)
      return []
    } catch {
      return error.all
    }
  }

  @Test("Definitions that double at each level are refused with the chain of those that apply each other")
  func chain() throws {
    let found = try errors(in: Self.file(40))
    #expect(found.map(\.code) == [.tooManySubscriptions])
    let error = try #require(found.first)
    #expect(
      error.message
        == "with its references written out, the file is longer than 4 MB: the definition 'd0' → the definition 'd1' → "
        + "the definition 'd2' → the definition 'd3' → (31 more) → the definition 'd35' → the definition 'd36' → the "
        + "definition 'd37' → the definition 'd38'")
    #expect(error.notes[0].hasPrefix("the definition 'd38' is compiled for each of "))
    #expect(error.notes[1].hasPrefix("in the definition 'd37', which is applied at one.json:1:"))
    #expect(
      error.help == "each 'apply' compiles the operators once more; let several places read one named stream")
  }

  @Test("Definitions that are applied four thousand times compile")
  func many() throws { #expect(try errors(in: Self.file(11)) == []) }

  @Test(
    "Operators within joins, inner streams, outputs and definitions that nothing applies count",
    arguments: [
      #""operators": [{"merge": {"with": [{"stream": [], "operators": [{"apply": {"definition": "d0"}}]}]}}]"#,
      #""operators": [{"flatMap": {"stream": {"stream": [], "operators": [{"apply": {"definition": "d0"}}]}}}]"#,
      #""operators": [{"groupBy": {"key": "value", "operators": [{"apply": {"definition": "d0"}}]}}]"#,
      #""streams": {"s": {"stream": [], "operators": [{"apply": {"definition": "d0"}}]}}"#, #""operators": []"#,
    ])
  func places(_ members: String) throws {
    let text = #"{"definitions": {\#(Self.doubling(40))}, "stream": [{"value": 1}], \#(members)}"#
    #expect(try errors(in: text).map(\.code) == [.tooManySubscriptions])
  }

  @Test("The first use of a definition counts nothing, however long it is")
  func firstUse() throws {
    let list = "[" + String(repeating: #""0123456789","#, count: 400_000) + "1]"
    let definitions = #"{"d": {"operators": [{"scan": {"initialValue": \#(list), "expression": "acc"}}]}}"#
    func file(_ count: Int) -> String {
      let uses = Array(repeating: #"{"apply": {"definition": "d"}}"#, count: count).joined(separator: ", ")
      return #"{"definitions": \#(definitions), "stream": [{"value": 1}], "operators": [\#(uses)]}"#
    }
    #expect(try errors(in: file(1)) == [])
    #expect(try errors(in: file(2)).map(\.code) == [.tooManySubscriptions])
  }

  @Test("Errors in a definition are reported beside the error that ends compiling")
  func errorsWithin() throws {
    let doubling = Self.doubling(40, last: #"{"map": {"expression": "valu"}}"#)
    let text =
      #"{"definitions": {\#(doubling)}, "stream": [{"value": 1}], "operators": [{"apply": {"definition": "d0"}}]}"#
    let codes = Set(try errors(in: text).map(\.code))
    #expect(codes == [.unknownName, .tooManySubscriptions])
  }

  @Test("The values of parameters count for each argument and for each field")
  func parameters() throws {
    let list = "[" + String(repeating: "1,", count: 100_000) + "1]"
    func file(_ definitions: String, _ use: String) -> String {
      let uses = Array(repeating: use, count: 100).joined(separator: ", ")
      return """
        {"parameters": {"p": {"type": "list(int)", "default": \(list)}}, "definitions": {\(definitions)},
         "stream": [{"value": 1}], "operators": [\(uses)]}
        """
    }
    let definition = #""d": {"parameters": {"q": {"type": "list(int)"}}, "operators": []}"#
    let arguments = try errors(in: file(definition, #"{"apply": {"definition": "d", "q": {"parameter": "p"}}}"#))
    #expect(arguments.map(\.code) == [.tooManySubscriptions])
    #expect(arguments[0].message.hasSuffix(": the value of the parameter 'q' is repeated at each use"))
    let fields = try errors(in: file("", #"{"scan": {"initialValue": {"parameter": "p"}, "expression": "acc"}}"#))
    #expect(fields.map(\.code) == [.tooManySubscriptions])
    #expect(fields[0].pointer.tokens.suffix(2) == ["scan", "initialValue"])
    #expect(try errors(in: file("", #"{"map": {"expression": "value + p.size()"}}"#)) == [])
  }

  @Test("Files that are applied, or used with parameters, count; those that are used as they are do not")
  func files() throws {
    let operators = Array(repeating: #"{"map": {"expression": "value"}}"#, count: 2_000).joined(separator: ", ")
    let loader = FilesInMemory(files: [
      "a.json": #"{"inputs": {"in": {}}, "source": {"input": {"name": "in"}}, "operators": [\#(operators)]}"#,
      "g.json": #"{"parameters": {"p": {"type": "int", "default": 1}}, "stream": [], "operators": [\#(operators)]}"#,
    ])
    func codes(_ operators: (Int) -> String) throws -> [DiagnosticCode] {
      let all = (0..<100).map(operators).joined(separator: ", ")
      return try errors(in: #"{"stream": [{"value": 1}], "operators": [\#(all)]}"#) { $0.loader = loader }.map(\.code)
    }
    #expect(try codes { _ in #"{"apply": {"file": "a.json"}}"# } == [.tooManySubscriptions])
    #expect(
      try codes {
        #"{"merge": {"with": [{"source": {"stream": {"file": "g.json", "parameters": {"p": \#($0)}}}}]}}"#
      } == [.tooManySubscriptions])
    #expect(try codes { _ in #"{"merge": {"with": [{"source": {"stream": {"file": "g.json"}}}]}}"# } == [])
  }

  @Test("Tests that give parameters values count together, and a hundred of a file do not")
  func tests() throws {
    func problems(_ operators: Int, _ tests: Int) throws -> [Diagnostic] {
      let maps = Array(repeating: #"{"map": {"expression": "value"}}"#, count: operators).joined(separator: ", ")
      let all = (0..<tests).map { #"{"name": "t\#($0)", "parameters": {"p": \#($0)}, "expect": {"values": []}}"# }
      let text = """
        {"parameters": {"p": {"type": "int", "default": 1}}, "stream": [], "operators": [\(maps)],
         "tests": [\(all.joined(separator: ", "))]}
        """
      let file = try stream(text)
      do throws(Diagnostics) {
        try file.validate()
        return []
      } catch {
        return error.all
      }
    }
    #expect(try problems(100, 100) == [])
    let found = try problems(2_000, 1_000)
    #expect(found.map(\.code) == [.tooManySubscriptions])
    #expect(found[0].message == "the tests compile the file again and again: more than 40 MB of text")
  }

  @Test("A check of the host ends compiling with its error, at the operator that was reached")
  func check() throws {
    let count = Mutex(0)
    let found = try errors(in: Self.file(10)) { options in
      options.check = {
        count.withLock { count in
          count += 1
          return count > 3 ? Diagnostic(.limitExceeded, "too much") : nil
        }
      }
    }
    #expect(found.map(\.code) == [.limitExceeded])
    #expect(found[0].message == "too much")
    #expect(count.withLock { $0 } == 4)
  }
}
