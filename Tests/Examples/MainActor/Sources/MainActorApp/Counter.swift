import StreamKit

/// A counter whose rules are replaced while it runs.
final class Counter {
  let taps = PassthroughInput<Hit>()
  private(set) var totals: [Double] = []
  private(set) var log: [String] = []
  private var rules: ChangingStream?

  init(rules model: StreamModel) throws {
    var services = HostServices()
    services.hook("tapped", on: .shared) { [weak self] (hit: Hit) in self?.log.append(hit.name) }
    rules = try ChangingStream(model, inputs: ["taps": taps], services: services)
  }

  func follow() async throws {
    guard let rules else { return }
    for try await total in rules.values(of: Double.self) { totals.append(total) }
  }

  /// Returns the report of the change.
  func change(to model: StreamModel) async throws -> String { try await rules?.swap(to: model)?.description ?? "" }

  static func rules(factor: Int) throws -> StreamModel {
    try StreamModel(
      checking: """
        {
          "inputs": { "taps": { "type": { "name": "string", "score": "double" } } },
          "source": { "input": { "name": "taps" } },
          "operators": [
            { "handleEvents": { "receiveOutput": "tapped" } },
            { "map": { "expression": "value.score * \(factor).0" } },
            { "id": "total", "scan": { "initialValue": 0, "expression": "acc + value" } }
          ]
        }
        """, options: CompileOptions(host: .any))
  }
}
