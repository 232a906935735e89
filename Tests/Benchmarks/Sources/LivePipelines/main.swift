import CMemory
import StreamCombine
import StreamKit

// Live publishers of stream files beside the same pipelines by hand, typed, in OpenCombine (in Combine where it is):
// bytes of a live pipeline, nanoseconds to make, subscribe and cancel one, and from `send` to `sink`.
//
//   swift run -c release --package-path Tests/Benchmarks LivePipelines [--quick]
//
// Five rounds, ours and theirs in turn; medians. Every answer is checked.

let isQuick = CommandLine.arguments.contains("--quick")
let pipelineCount = isQuick ? 10_000 : 100_000
let valueCount = isQuick ? 100_000 : 2_000_000
let rounds = isQuick ? 3 : 5

/// One side of a comparison: how a pipeline is created, fed and observed.
protocol Side {
  associatedtype Input
  static var name: String { get }
  static func makeInput() -> Input
  static func subscribe(_ input: Input, operators: Int, _ receive: @escaping (Int) -> Void) -> AnyCancellable
  static func send(_ value: Int, to input: Input)
}

/// Pipelines by hand.
enum ByHand: Side {
  static let name = "OpenCombine"

  static func makeInput() -> PassthroughSubject<Int, Never> { PassthroughSubject() }

  static func subscribe(
    _ input: PassthroughSubject<Int, Never>, operators: Int, _ receive: @escaping (Int) -> Void
  ) -> AnyCancellable {
    switch operators {
    case 3:
      input.map { $0 &* 3 }.filter { $0 % 2 == 0 }.scan(0) { $0 &+ $1 }.sink(receiveValue: receive)
    case 4:
      input.map { $0 &* 3 }.filter { $0 % 2 == 0 }.map { $0 &+ 1 }.scan(0) { $0 &+ $1 }.sink(receiveValue: receive)
    default:
      input.map { $0 &* 3 }.filter { $0 % 2 == 0 }.map { $0 &+ 1 }.filter { $0 % 7 != 0 }.map { $0 &- 1 }
        .scan(0) { $0 &+ $1 }.sink(receiveValue: receive)
    }
  }

  static func send(_ value: Int, to input: PassthroughSubject<Int, Never>) { input.send(value) }
}

/// Pipelines from a stream file.
enum FromFile: Side {
  static let name = "streamrun"

  private static let streams: [Int: StreamModel] = [
    3: model(#"{"map": {"expression": "value * 3"}}, {"filter": {"expression": "value % 2 == 0"}}"#),
    4: model(
      #"""
      {"map": {"expression": "value * 3"}}, {"filter": {"expression": "value % 2 == 0"}},
      {"map": {"expression": "value + 1"}}
      """#),
    6: model(
      #"""
      {"map": {"expression": "value * 3"}}, {"filter": {"expression": "value % 2 == 0"}},
      {"map": {"expression": "value + 1"}}, {"filter": {"expression": "value % 7 != 0"}},
      {"map": {"expression": "value - 1"}}
      """#),
  ]

  private static func model(_ operators: String) -> StreamModel {
    do {
      return try StreamModel(
        parsing: """
          {"inputs": {"in": {"type": "int"}}, "source": {"input": {"name": "in"}},
           "operators": [\(operators), {"scan": {"initialValue": 0, "expression": "acc + value"}}]}
          """)
    } catch {
      fatalError("\(error)")
    }
  }

  /// Compiled once each; every pipeline is an execution of its own.
  private static let pipelines = streams.mapValues { model in
    do {
      return try model.compile()
    } catch {
      fatalError("\(error)")
    }
  }

  static func makeInput() -> PassthroughInput<Int> { PassthroughInput() }

  static func subscribe(
    _ input: PassthroughInput<Int>, operators: Int, _ receive: @escaping (Int) -> Void
  ) -> AnyCancellable {
    guard let pipeline = pipelines[operators], let stream = try? LiveStream(pipeline, inputs: ["in": input]) else {
      fatalError("there is no pipeline of \(operators) operators")
    }
    return stream.publisher(of: Int.self, delivery: .immediate)
      .sink(receiveCompletion: { _ in }, receiveValue: receive)
  }

  static func send(_ value: Int, to input: PassthroughInput<Int>) { input.send(value) }
}

func nanoseconds(_ body: () -> Void) -> Double {
  ContinuousClock().measure(body) / .nanoseconds(1)
}

struct Figures {
  var bytes: [Double] = []
  var making: [Double] = []
  var sending: [Double] = []
  var answer = 0
}

/// Measures one side once.
func measure<S: Side>(_ side: S.Type, operators: Int, _ figures: inout Figures) {
  var heard = 0
  // Made, subscribed to and canceled, one after the other.
  let making = nanoseconds {
    for _ in 0..<pipelineCount {
      let input = S.makeInput()
      S.subscribe(input, operators: operators) { heard &+= $0 }.cancel()
    }
  }
  // All at once, each sent two values.
  var inputs: [S.Input] = []
  var tokens: [AnyCancellable] = []
  inputs.reserveCapacity(pipelineCount)
  tokens.reserveCapacity(pipelineCount)
  let before = Int(allocated_bytes())
  for _ in 0..<pipelineCount {
    let input = S.makeInput()
    inputs.append(input)
    tokens.append(S.subscribe(input, operators: operators) { heard &+= $0 })
  }
  for input in inputs {
    S.send(1, to: input)
    S.send(2, to: input)
  }
  let bytes = Int(allocated_bytes()) - before
  for token in tokens { token.cancel() }
  tokens = []
  inputs = []
  // One, sent many values.
  var last = 0
  let input = S.makeInput()
  let token = S.subscribe(input, operators: operators) { last = $0 }
  let sending = nanoseconds { for value in 0..<valueCount { S.send(value, to: input) } }
  token.cancel()
  figures.making.append(making / Double(pipelineCount))
  figures.bytes.append(Double(bytes) / Double(pipelineCount))
  figures.sending.append(sending / Double(valueCount))
  figures.answer = heard &+ last
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func row(_ workload: String, _ peer: String, _ value: Double, _ ours: Double) {
  print("\(workload)\t\(peer)\t\((value * 10).rounded() / 10)\t\((value / ours * 100).rounded() / 100)")
}

print("workload\tpeer\tfigure\tratio_to_ours")
for operators in [3, 4, 6] {
  var (ours, theirs) = (Figures(), Figures())
  for _ in 0..<rounds {
    measure(FromFile.self, operators: operators, &ours)
    measure(ByHand.self, operators: operators, &theirs)
  }
  guard ours.answer == theirs.answer else {
    fatalError("ours gave \(ours.answer), by hand \(theirs.answer)")
  }
  for (workload, path) in [
    ("bytes of a live pipeline", \Figures.bytes), ("ns to make, subscribe, cancel", \.making),
    ("ns from send to sink", \.sending),
  ] {
    for (name, figures) in [(FromFile.name, ours), (ByHand.name, theirs)] {
      row("\(workload), \(operators) operators", name, median(figures[keyPath: path]), median(ours[keyPath: path]))
    }
  }
}
