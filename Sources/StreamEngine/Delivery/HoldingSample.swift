package import StreamCore

// Estimates of the values that the operators of a running stream hold. Nothing is saved, so the stream continues as if
// it had not been asked.

extension Execution {
  /// The state of an operator or source, in all inner streams together.
  package struct SampledHolding {
    package let name: String
    package let pointer: JSONPointer
    /// Number of its subscriptions.
    package fileprivate(set) var streams = 0
    /// Estimated size in memory.
    package fileprivate(set) var bytes = 0
    /// Number of values.
    package fileprivate(set) var values = 0
    /// Number of timers.
    package fileprivate(set) var timers = 0
    /// Whether the numbers are extrapolated.
    package fileprivate(set) var isEstimate = false
  }

  /// Returns what each operator and source holds, extrapolated from some of the inner streams.
  ///
  /// - Parameters:
  ///   - limit: Maximum number of inner streams that are measured.
  ///   - isTimeUp: Whether to measure no more than one inner stream of each operator from now on.
  package func sampledHoldings(streams limit: Int, isTimeUp: @escaping () -> Bool) -> [SampledHolding] {
    let sample = HoldingSample(self, streams: limit, isTimeUp: isTimeUp)
    if hasStarted, let root {
      for hub in rootFrame.hubsInOrder { sample.visit(hub) }
      sample.visit(root)
    }
    var holdings: [SampledHolding] = []
    var places: [JSONPointer: Int] = [:]
    for sum in sample.sums {
      let place = places[sum.node.pointer] ?? holdings.count
      if place == holdings.count {
        places[sum.node.pointer] = place
        holdings.append(SampledHolding(name: sum.node.name, pointer: sum.node.pointer))
      }
      holdings[place].streams += Int(sum.streams.rounded())
      holdings[place].bytes += Int(sum.bytes.rounded())
      holdings[place].values += Int(sum.values.rounded())
      holdings[place].timers += Int(sum.timers.rounded())
      if sum.isEstimate { holdings[place].isEstimate = true }
    }
    return holdings
  }
}

/// The sums of what operators hold, while the stages of a stream are visited.
final class HoldingSample {
  struct Sum {
    let node: PipelineNode
    var streams = 0.0
    var bytes = 0.0
    var values = 0.0
    var timers = 0.0
    var isEstimate = false
  }

  private let execution: Execution
  let isTimeUp: () -> Bool
  /// Maximum number of inner streams that may still be visited.
  private var rest: Int
  private(set) var sums: [Sum] = []
  private var places: [ObjectIdentifier: Int] = [:]

  init(_ execution: Execution, streams: Int, isTimeUp: @escaping () -> Bool) {
    self.execution = execution
    self.isTimeUp = isTimeUp
    rest = streams
  }

  /// Adds a subscription of an operator.
  ///
  /// - Parameter measure: Measures its state.
  func add(
    _ node: PipelineNode, streams: Double = 1, timers: Double = 0, _ measure: (inout SizeSample) -> Void = { _ in }
  ) {
    var size = SizeSample(isTimeUp: isTimeUp)
    measure(&size)
    add(
      Sum(
        node: node, streams: streams, bytes: size.bytes, values: size.values, timers: timers,
        isEstimate: size.isEstimate))
  }

  private func add(_ sum: Sum, times factor: Double = 1) {
    let id = ObjectIdentifier(sum.node)
    let place = places[id] ?? sums.count
    if place == sums.count {
      places[id] = place
      sums.append(Sum(node: sum.node))
    }
    sums[place].streams += sum.streams * factor
    sums[place].bytes += sum.bytes * factor
    sums[place].values += sum.values * factor
    sums[place].timers += sum.timers * factor
    if sum.isEstimate { sums[place].isEstimate = true }
  }

  /// Visits some of the parts with these numbers, and extrapolates what they add.
  func visit(_ count: Int, _ visit: (Int) -> Void) {
    guard count > 0 else { return }
    let (outerSums, outerPlaces, outerRest) = (sums, places, rest)
    (sums, places) = ([], [:])
    let planned = min(count, max(1, rest))
    let step = planned < count ? Self.step(count) : 1
    var (visited, number) = (0, 0)
    while visited < planned, visited == 0 || !isTimeUp() {
      rest = outerRest / planned
      visit(number)
      visited += 1
      number = (number + step) % count
    }
    let inner = sums
    (sums, places, rest) = (outerSums, outerPlaces, max(0, outerRest - visited))
    for var sum in inner {
      if visited < count { sum.isEstimate = true }
      add(sum, times: Double(count) / Double(visited))
    }
  }

  /// Returns a step by which all numbers below `count` are reached, each part of them spread over the whole.
  private static func step(_ count: Int) -> Int {
    // By the golden ratio: Knuth, "The Art of Computer Programming", volume 3, section 6.4.
    var step = max(1, Int(Double(count) * 0.618_033_988_75))
    func divisor(_ first: Int, _ second: Int) -> Int { second == 0 ? first : divisor(second, first % second) }
    while divisor(step, count) != 1 { step += 1 }
    return step
  }

  /// Visits a stage and those upstream of it.
  func visit(_ feeder: Stage) {
    var next: Stage? = feeder
    while let stage = next?.unprobed {
      stage.addHoldings(to: self, execution)
      next = stage.upstream(on: 0)
      for hub in stage.innerFrame(on: 0)?.hubsInOrder ?? [] { visit(hub) }
      visit(stage.otherUpstreamCount) { number in
        for hub in stage.innerFrame(on: number + 1)?.hubsInOrder ?? [] { visit(hub) }
        if let upstream = stage.upstream(on: number + 1) { visit(upstream) }
      }
    }
  }
}

extension Stage {
  /// Number of ports except the first.
  fileprivate var otherUpstreamCount: Int { coldState?.others.count ?? 0 }

  /// Number of timers. Those of an operator with very many are not counted.
  final func timerCount(_ execution: Execution) -> Double {
    let timers = timers
    return timers.count > 1_000 ? Double(timers.count / 2) : Double(execution.timers(of: self).count)
  }
}

extension SegmentOperator {
  /// Measures its state.
  func measure(_ cells: SegmentCells, _ size: inout SizeSample) {
    switch state {
    case .none: break
    case .index: size.add(.int(0))
    case .other(let state): size.add(state: state.content(cells))
    }
  }
}
