import StreamKit

/// An order as a client sends it.
struct Order: Codable, Sendable {
  struct Line: Codable, Sendable {
    var item: String
    var count: Int
  }

  var customer: String
  var lines: [Line]
}

/// Prices orders. The file is compiled once, and each order is a run of its own.
struct OrderDesk: Sendable {
  /// An output of `orders.json`.
  struct Line: Codable, Sendable {
    var item: String
    var count: Int
    var amount: Double
    /// The sum of the amounts so far.
    var total: Double
  }

  /// The number of runs.
  let runs = Gauge()
  private let pipeline: Pipeline
  private let services: HostServices

  init(rules: StreamModel, list: PriceList = PriceList()) throws {
    var services = HostServices()
    services.limits = RunLimits(budget: 100_000)
    services.function("priceOf") { (item: String) in try await list.price(of: item) }
    services.hook("began") { [runs] (_: Value) in runs.add(1) }
    services.hook("ended") { [runs] (_: Value) in runs.add(-1) }
    self.services = services
    pipeline = try rules.compile(CompileOptions(services: services))
  }

  /// The lines, which the stream computes while they are awaited.
  func lines(of order: Order) throws -> StreamValues<Line> {
    let input = StreamInput(order)
    input.finish()
    let run = try LiveStream(pipeline, inputs: ["order": input], services: services)
    return run.values(of: Line.self, bufferingPolicy: .demand)
  }
}

/// A slow service elsewhere.
actor PriceList {
  struct UnknownItem: Error, CustomStringConvertible {
    let item: String
    var description: String { "there is no '\(item)'" }
  }

  private let prices = ["tea": 2.5, "cake": 4.0, "jam": 3.25]

  func price(of item: String) async throws -> Double {
    try await Task.sleep(for: .milliseconds(1))
    guard let price = prices[item] else { throw UnknownItem(item: item) }
    return price
  }
}
