import CEL
import StreamCore
import StreamTesting
import StreamTools
import Testing

@testable import StreamKit

/// Explanations are true.
@Suite struct ExplanationTests {
  private static func explain(_ json: String) throws -> StreamExplanation {
    try StreamExplanation(
      StreamFile(JSONDocument(reading: json, file: "s.json"), identity: "/s.json"),
      options: CompileOptions(host: .any))
  }

  @Test("Types, memory and cost are those of the operator as it stands")
  func parts() throws {
    let explanation = try Self.explain(
      #"""
      {"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}},
       "operators": [{"map": {"expression": "string(value)"}}, {"collect": {"count": 4}}, {"delay": {"seconds": 1}}]}
      """#)
    let operators = explanation.parts.filter { $0.kind == .operator }
    #expect(operators.map { $0.input?.description } == ["int", "string", "list(string)"])
    #expect(operators.map { $0.output?.description } == ["string", "list(string)", "list(string)"])
    #expect(operators.map { $0.memory?.bound } == [nil, 4, 1_000_000])
    #expect(operators.map { $0.memory?.field } == [nil, "count", "limit"])
    #expect(operators.map(\.expressions.count) == [1, 0, 0])
    #expect(operators[0].expressions.first?.cost.description == "2 steps")
  }

  @Test("The explanation of a join without keys warns of the product")
  func products() throws {
    func text(_ fields: String) throws -> String {
      let explanation = try Self.explain(
        #"""
        {"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}},
         "operators": [{"join": {"with": ["b"], "seconds": 1\#(fields)}}]}
        """#)
      return explanation.parts.filter { $0.kind == .operator }.map(\.text).joined()
    }
    #expect(try text("").contains("the work is quadratic"))
    #expect(try !text(#", "on": "value""#).contains("quadratic"))
    #expect(try !text(#", "leftKey": "value", "rightKey": "value.id""#).contains("quadratic"))
  }

  @Test("A default is given only where the field can be written")
  func defaults() throws {
    func text(_ fields: String) throws -> String {
      try Self.explain(
        #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"window": {\#(fields), "operators": []}}]}"#
      ).parts.filter { $0.kind == .operator }.map(\.text).joined()
    }
    let (counted, aligned) = (try text(#""count": 2"#), try text(#""seconds": 60, "align": "clock""#))
    #expect(!counted.contains("offset") && !counted.contains("emitEmpty") && counted.contains("limit is 1000"))
    #expect(aligned.contains("hop is 60") && aligned.contains("offset is 0") && aligned.contains("emitEmpty is false"))
  }

  @Test("The text of an operator over several inputs with clocks has the order of values with equal times")
  func equalTimes() throws {
    func text(_ name: String, _ operators: String, time: String = #"{"expression": "value.t"}"#) throws -> String {
      try Self.explain(
        #"""
        {"inputs": {"\#(name)": {"time": \#(time)}, "sales": {"time": {"expression": "value.t"}}, "plain": {}},
         "streams": {"rates": {"source": {"input": {"name": "\#(name)"}}}},
         "source": {"input": {"name": "sales"}}, "operators": [\#(operators)]}
        """#
      ).parts.filter { $0.kind == .operator }.map(\.text).joined()
    }
    let latest = #"{"withLatestFrom": {"with": ["rates"]}}"#
    #expect(try text("rates_in", latest).contains("At equal times, the values of rates_in, then of sales come"))
    #expect(try text("tariff", latest).contains("At equal times, the values of sales, then of tariff come"))
    let switching = #"{"switchMap": {"stream": {"source": {"stream": {"name": "rates"}}}}}"#
    #expect(try text("a", switching).contains("the values of a, then of sales come"))
    for operators in [#"{"withLatestFrom": {"with": ["plain"]}}"#, #"{"filter": {"expression": "true"}}"#] {
      #expect(try !text("a", operators).contains("equal times"))
    }
    #expect(try !text("a", #"{"merge": {"with": ["rates"]}}"#).contains("equal times"))
  }

  @Test("A stream that is named twice is subscribed to twice, a shared one once")
  func subscriptions() throws {
    func counts(_ operators: String) throws -> [[String]: Int] {
      let plan = try Self.explain(
        #"""
        {"inputs": {"a": {}}, "streams": {"s": {"source": {"input": {"name": "a"}}, "operators": [\#(operators)]}},
         "source": {"stream": {"name": "s"}}, "operators": [{"merge": {"with": ["s", "s"]}}]}
        """#
      ).plan
      return Dictionary(plan.units.map { ($0.names, $0.subscriptions) }) { first, _ in first }
    }
    let plain = try counts(#"{"delay": {"seconds": 1}}"#)
    #expect(plain == [["merge"]: 1, ["delay"]: 3, ["input"]: 3])
    let shared = try counts(#"{"delay": {"seconds": 1}}, {"share": {}}"#)
    #expect(shared == [["merge"]: 1, ["share"]: 3, ["delay"]: 1, ["input"]: 1])
  }

  @Test("Neighbors that run as one program are one unit, with its instructions")
  func fusion() throws {
    let plan = try Self.explain(
      #"{"stream": [{"value": 1}], "operators": [{"map": {"expression": "value + 1"}}, {"filter": {"expression": "value > 1"}}]}"#
    ).plan
    #expect(plan.units.map(\.names) == [["map", "filter"], ["stream"]])
    #expect(plan.units.map(\.instructions.isEmpty) == [false, true])
    #expect(plan.units[0].typedCount > 0 && plan.units[0].typedCount <= plan.units[0].instructions.count)
  }

  @Test("A bound of an operator's memory is one of its fields")
  func bounds() {
    var bounded = 0
    for spec in Operator.table.map(\.spec) + Source.table.map(\.spec) {
      guard case .bounded(_, let fields) = spec.memory else { continue }
      bounded += 1
      #expect(fields.allSatisfy { field in spec.fields.contains { $0.name == field } }, "\(spec.name)")
    }
    #expect(bounded > 20)
  }

  @Test("Every random file can be explained, and every operator in it is")
  func randomFiles() throws {
    var random = RandomModel(seed: 11)
    for _ in 0..<200 {
      let model = random.model()
      let explanation = try Self.explain(JSONWriter.compact(model.json))
      let explained = Set(explanation.parts.filter { $0.kind == .operator && $0.output != nil }.map(\.pointer))
      for index in model.operators.indices {
        #expect(explained.contains(JSONPointer(["operators", String(index)])))
      }
    }
  }
}
