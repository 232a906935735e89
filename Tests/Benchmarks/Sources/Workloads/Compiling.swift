import StreamEngine
import StreamKit

// The time to compile a stream file's text to a pipeline, per file.

func compiling() -> [Workload] {
  [10, 100, 1_000].map { operators in
    let text = """
      { "source": { "range": { "from": 1, "through": 10 } }, "operators": [
      \((0..<operators).map { #"{ "map": { "expression": "value + \#($0)" } }"# }.joined(separator: ",\n"))
      ] }
      """
    return Workload(
      "compile \(operators) operators", count: operators == 10 ? 1_000 : 10,
      [
        Contender(Contender.ours) { count in
          for _ in 0..<count {
            do {
              _ = Execution(try StreamModel(parsing: text).compile())
            } catch {
              fatalError("\(error)")
            }
          }
          return 0
        }
      ])
  }
}
