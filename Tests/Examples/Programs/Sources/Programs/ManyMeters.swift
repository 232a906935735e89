import StreamCore
import StreamEngine
import StreamKit

/// One stream for each of many meters. The model is compiled once; each execution has its own state.
public struct ManyMeters {
  private var meters: [Execution]

  public init(count: Int) throws {
    let model = StreamModel(
      inputs: ["reading": InputDeclaration(type: .int)], source: .input("reading"),
      operators: [.scan(0, "acc + value"), .filter("value % 2 == 0")])
    let pipeline = try model.compile()
    meters = (0..<count).map { _ in Execution(pipeline) }
    for meter in meters { meter.request(.unlimited) }
  }

  /// Sends a reading to a meter, and returns the values that its stream publishes.
  public func send(_ reading: Int, to meter: Int, at time: StreamTime) throws -> [Int] {
    let execution = meters[meter]
    try execution.send(.int(Int64(reading)), to: "reading", at: time)
    var values: [Int] = []
    while let event = execution.next() {
      if case .value(let value) = event, let int = value.int { values.append(int) }
    }
    return values
  }
}
