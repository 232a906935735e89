import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `join` beyond its examples and the laws.
@Suite struct JoinTests {
  @Test("Pairs are published as they are asked for, and none twice")
  func demand() throws {
    let json = #"""
      {"stream": [{"value": 1}, {"value": 2}],
       "operators": [{"join": {"with": [{"stream": [{"value": 10}, {"value": 20}]}], "left": {"source": {"never": {}}},
                               "right": {"source": {"never": {}}}, "expression": "left + right"}}]}
      """#
    let texts = try answers(json, [1, 1, 1, 1, 1])
    #expect(texts.joined().sorted() == ["11", "12", "21", "22", "|"])
    #expect(texts.dropLast(2).allSatisfy { $0.count == 1 })
  }

  @Test("As the last stream of several it begins both of its streams before it is asked, as among the first")
  func lastOfSeveral() throws {
    // The other stream of the join is empty, so it ends before its first value could open a window, which fails.
    let join =
      #"{"source": {"just": {"value": 2}}, "operators": [{"join": {"with": [{"source": {"empty": {}}}], "left": {"source": {"fail": {"error": 7}}}, "right": {"source": {"never": {}}}}}]}"#
    let one = #"{"source": {"just": {"value": 1}}}"#
    for name in ["zip", "combineLatest"] {
      for with in ["\(join)", "\(join), \(one)"] {
        let texts = try run(
          #"{"source": {"just": {"value": 1}}, "operators": [{"\#(name)": {"with": [\#(with)]}}]}"#)
        #expect(texts == ["|@0"], "\(name) with \(with)")
      }
    }
  }

  private static func join(_ fields: String, _ left: [String], _ right: [String]) -> String {
    func items(_ values: [String]) -> String {
      "[" + values.map { #"{"value": \#($0)}"# }.joined(separator: ", ") + "]"
    }
    return #"""
      {"stream": \#(items(left)), "operators": [{"join": {"with": [{"stream": \#(items(right))}], \#(fields)}}]}
      """#
  }

  @Test("Numbers that are equal are one key, in lists and maps too; null has no partner")
  func keys() throws {
    let left = ["1", "[1, 2]", #"{"a": 3}"#, #""1""#, "null", "[1, null]"]
    let right = ["1.0", "[1.0, 2]", #"{"a": 3.0}"#, "true", "null", "[1, null]"]
    let pairs = try run(Self.join(#""on": "value", "seconds": 1"#, left, right))
    #expect(pairs == ["[1,1.0]@0", "[[1,2],[1.0,2]]@0", #"[{"a":3},{"a":3.0}]@0"#, "|@0"])
    let all = try run(Self.join(#""on": "value", "seconds": 1, "type": "full", "expression": "right""#, left, right))
    #expect(all.filter { $0.hasPrefix("null") }.count == 4)
  }

  @Test("Values without a partner wait for demand, after the pairs")
  func outerDemand() throws {
    let json = Self.join(
      #""on": "value % 10", "seconds": 1, "type": "left", "expression": "[left, right]""#, ["1", "2", "3"], ["11"])
    let texts = try answers(json, [1, 1, 1, 1, 1])
    #expect(texts.joined().filter { $0 != "|" } == ["[1,11]", "[2,null]", "[3,null]"])
    #expect(texts.allSatisfy { $0.filter { $0 != "|" }.count <= 1 })
    #expect(texts.joined().filter { $0 == "|" }.count == 1)
  }

  @Test("A stream of values without a partner continues after the other one has finished")
  func goesOn() throws {
    let texts = try run(
      #"""
      {"source": {"timer": {"every": 1, "count": 3}},
       "operators": [{"join": {"with": [{"source": {"empty": {}}}], "on": "value", "seconds": 10, "type": "left"}}]}
      """#)
    #expect(texts == ["[0,null]@1000", "[1,null]@2000", "[2,null]@3000", "|@3000"])
  }

  @Test("Keys that are never equal are refused")
  func typesOfKeys() throws {
    func problems(_ left: String, _ right: String) -> [String] {
      do throws(Diagnostics) {
        _ = try stream(
          #"""
          {"inputs": {"a": {"type": {"id": "int"}}, "b": {"type": {"id": "\#(right)"}}}, "source": {"input": {"name": "a"}},
           "operators": [{"join": {"with": ["b"], "seconds": 1, "leftKey": "\#(left)", "rightKey": "value.id"}}]}
          """#
        ).compile()
        return []
      } catch {
        return error.all.map { "\($0.code.rawValue) \($0.pointer.description)" }
      }
    }
    #expect(problems("value.id", "string") == ["S203 /operators/0/join/rightKey"])
    #expect(problems("value.id", "double") == [])
    #expect(problems("string(value.id)", "string") == [])
    #expect(problems("value.di", "int") == ["S206 /operators/0/join/leftKey"])
  }

  @Test("Another key discards the open windows; another type keeps them, and who has had a partner")
  func swap() throws {
    func version(_ fields: String) throws -> StreamVersion {
      try StreamVersion(
        StreamModel(
          parsing: #"""
            {"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}},
             "operators": [{"join": {"with": ["b"], "seconds": 5, \#(fields)}}]}
            """#))
    }
    func take(_ execution: Execution) -> [String] {
      var found: [String] = []
      while let event = execution.next() {
        if case .value(let value) = event { found.append(JSONWriter.compact(value)) }
      }
      return found
    }
    let old = try version(#""on": "value % 10""#)
    let execution = Execution(old.pipeline)
    execution.request(.unlimited)
    for (value, input) in [(1, 0), (2, 0), (11, 1)] as [(Int64, Int)] {
      execution.send(.int(value), to: input, at: .zero)
    }
    #expect(take(execution) == ["[1,11]"])
    let snapshot = try execution.snapshot()
    func after(_ fields: String) throws -> [String] {
      let new = try version(fields)
      let swapped = try Execution(new.pipeline, restoring: StreamSwap(of: snapshot, from: old, to: new).snapshot)
      swapped.send(.int(22), to: 1, at: .zero)
      let pairs = take(swapped)
      swapped.advance(to: StreamTime(seconds: 6))
      return pairs + take(swapped)
    }
    #expect(try after(#""on": "value % 10", "type": "full""#) == ["[2,22]"])
    #expect(try after(#""on": "value % 100", "type": "full""#) == ["[null,22]"])
    #expect(try after(#""on": "value % 10", "type": "left", "limit": 5"#) == ["[2,22]"])
  }

  @Test("The failure at the limit has help")
  func limit() throws {
    let pipeline = try stream(Self.join(#""on": "value", "seconds": 1, "limit": 2"#, ["1", "2", "3"], ["1"])).compile()
    let history = VirtualRun(Execution(pipeline)).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.code == "S409" && failure.help?.contains("'seconds'") == true)
  }
}
