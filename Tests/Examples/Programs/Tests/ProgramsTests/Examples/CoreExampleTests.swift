import Foundation
import Programs
import StreamCore
import StreamEditing
import StreamKit
import Testing

/// The examples in the comments of StreamCore's public types.
@Suite("Examples of StreamCore's types", .timeLimit(.minutes(1)))
struct CoreExampleTests {
  @Test("Diagnostic")
  func diagnosticExample() throws {
    var problems: [String] = []
    let text = #"{"stream": [{"value": 1}], "operators": [{"filter": {"expression": "valu > 0"}}]}"#

    do {
      _ = try StreamModel(checking: text, file: "rules.json")
    } catch {
      for diagnostic in error.all { problems.append("\(diagnostic.pointer): \(diagnostic.message)") }
    }

    #expect(problems == ["/operators/0/filter/expression: there is no name 'valu' here"])
  }

  @Test("Diagnostics")
  func diagnosticsExample() throws {
    var problems: [String] = []
    let text = #"{"stream": [{"value": 1}], "operators": [{"filter": {"expression": "valu > 0"}}]}"#

    do {
      _ = try StreamModel(checking: text, file: "rules.json")
    } catch {
      problems.append(error.description)
    }

    #expect(problems.first?.hasPrefix("error S202 at /operators/0/filter/expression (rules.json:1:") == true)
  }

  @Test("DiagnosticCode")
  func diagnosticCodeExample() throws {
    var problems: [String] = []
    let diagnostic = Diagnostic(.outOfRange, "too many")

    if diagnostic.code == .outOfRange { problems.append(diagnostic.code.rawValue) }

    #expect(problems == ["S104"])
  }

  @Test("DiagnosticPrinter")
  func diagnosticPrinterExample() throws {
    var problems: [String] = []
    let text = #"{"stream": [{"value": 1}], "operators": [{"filter": {"expression": "valu > 0"}}]}"#
    let source = SourceText(file: "rules.json", text: text)

    do {
      _ = try StreamModel(checking: text, file: source.file)
    } catch {
      let printer = DiagnosticPrinter()
      for diagnostic in error.all { problems.append(printer.text(diagnostic, source: source)) }
    }

    #expect(problems.first?.contains("^^^^") == true)
  }

  @Test("SourceText")
  func sourceTextExample() throws {
    let source = SourceText(file: "notes.txt", text: "one\ntwo\n")
    let (line, column) = source.position(of: 5)

    #expect(line == 2)
    #expect(column == 2)
  }

  @Test("JSONDocument")
  func jsonDocumentExample() throws {
    let text = #"{"stream": [{"value": 1}]}"#

    let document = try JSONDocument(reading: text, file: "one.json")
    let file = try StreamFile(document, identity: "one.json")

    #expect(file.model.operators.isEmpty)
    #expect(document.value["stream"]?[0]?["value"]?.int == 1)
  }

  @Test("JSONFragment")
  func jsonFragmentExample() throws {
    var editor = StreamEditor(try JSONDocument(reading: #"{"stream": []}"#, file: "one.json"))

    try editor.apply(.appendItem(JSONFragment(parsing: "1.50", name: "item")))

    #expect(editor.text == #"{"stream": [{"value": 1.50}]}"#)
  }

  @Test("JSONLimits")
  func jsonLimitsExample() throws {
    let text = "[[1]]"

    let document = try JSONDocument(reading: text, file: "request", limits: JSONLimits(depth: 32, bytes: 100_000))

    #expect(document.value == [[1]])
  }

  @Test("JSONPointer")
  func jsonPointerExample() throws {
    let pointer = try JSONPointer(parsing: "/operators/0").appending("debounce")
    let seconds = pointer.appending("seconds").description

    #expect(seconds == "/operators/0/debounce/seconds")
  }

  @Test("JSONWriter")
  func jsonWriterExample() throws {
    let value: Value = ["celsius": 20.0]

    let line = JSONWriter.compact(value)

    #expect(line == #"{"celsius":20.0}"#)
  }

  @Test("Timestamp")
  func timestampExample() throws {
    let value = Value.timestamp(Timestamp(seconds: 1_700_000_000))
    let date = try value.decoded(as: Date.self)

    #expect(date == Date(timeIntervalSince1970: 1_700_000_000))
  }

  @Test("Value")
  func valueExample() throws {
    let order: Value = ["id": 7, "items": ["tea", "milk"], "paid": true]
    let first = order["items"]?[0]?.string

    #expect(first == "tea")
  }

  @Test("OpaqueValue")
  func opaqueValueExample() throws {
    var problems: [String] = []
    let value: Value = 1

    if case .opaque(let object) = value { problems.append("a stream cannot store a value of type \(object.typeName)") }

    #expect(problems.isEmpty)
  }

  @Test("ValueList")
  func valueListExample() throws {
    var count = 0
    let value: Value = [1, 2, 3]

    if case .list(let list) = value { count = list.count }

    #expect(count == 3)
  }

  @Test("ValueMap")
  func valueMapExample() throws {
    var lines: [String] = []

    let map = ValueMap([("sensor", "a"), ("celsius", 20)])
    for (key, value) in map.pairs { lines.append("\(key): \(value)") }

    #expect(lines == [#""sensor": "a""#, #""celsius": 20"#])
  }

  @Test("ValueCoding")
  func valueCodingExample() throws {
    struct Order: Codable, Equatable {
      var unitPrice: Double
      var placedAt: Date
    }
    let order = Order(unitPrice: 2.5, placedAt: Date(timeIntervalSince1970: 1))

    let coding = ValueCoding(dates: .millisecondsSince1970, keys: .snakeCase)
    let value = try Value(encoding: order, coding: coding)
    let again = try value.decoded(as: Order.self, coding: coding)

    #expect(value["unit_price"]?.double == 2.5)
    #expect(value["placed_at"]?.double == 1_000)
    #expect(again == order)
  }
}
