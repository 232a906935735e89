package import StreamCore
internal import StreamEngine
package import StreamKit
internal import StreamTesting

/// A stream file in memory.
package func stream(_ json: String, file: String = "test.json") throws(Diagnostics) -> StreamFile {
  try StreamFile(JSONDocument(reading: Array(json.utf8), file: file), identity: file)
}

/// All that is wrong with a stream file, as `code pointer`.
package func problems(_ json: String, loader: (any StreamLoader)? = nil) -> [String] {
  do {
    _ = try stream(json).compile(CompileOptions(loader: loader))
    return []
  } catch {
    return error.all.map { "\($0.code.rawValue) \($0.pointer)" }
  }
}

/// The values of a stream in virtual time, as `value@milliseconds`.
package func run(_ json: String, loader: (any StreamLoader)? = nil, seconds: Double = 1_000_000) throws -> [String] {
  let pipeline = try stream(json).compile(CompileOptions(loader: loader))
  let history = VirtualRun(Execution(pipeline), until: StreamTime(seconds: seconds), eventLimit: 10_000).run()
  return history.texts()
}

/// The values that come for each of these demands, one after the other.
package func answers(_ json: String, _ demands: [Int]) throws -> [[String]] {
  let execution = Execution(try stream(json).compile())
  return demands.map { demand in
    execution.request(Demand(demand))
    var texts: [String] = []
    while true {
      while let event = execution.next() { texts.append(event.text()) }
      guard let deadline = execution.nextDeadline, !execution.isEnded else { return texts }
      execution.advance(to: deadline)
    }
  }
}

/// The values that come for each of these demands of the numbers from 1, after operators.
package func answers(to operators: String, _ demands: [Int], through last: Int = 4) throws -> [[String]] {
  try answers(#"{"source": {"range": {"from": 1, "through": \#(last)}}, "operators": [\#(operators)]}"#, demands)
}

/// Stream files in memory, by path.
package struct FilesInMemory: StreamLoader {
  let files: [String: String]

  package init(files: [String: String]) { self.files = files }

  package func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> StreamFile {
    guard let text = files[path] else {
      throw Diagnostics([Diagnostic(.fileNotFound, "there is no file \"\(path)\"")])
    }
    return try stream(text, file: path)
  }
}

/// The value of a JSON text.
package func json(_ text: String) throws(Diagnostics) -> Value {
  try JSONDocument(reading: text, file: "test.json").value
}
