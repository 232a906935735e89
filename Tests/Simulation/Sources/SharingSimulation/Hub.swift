/// The reports of a hub about versions: one for each client, its last.
struct Hub {
  private(set) var clients = [Int](repeating: 0, count: 8)
  private(set) var failures = [Int](repeating: 0, count: 8)
  private(set) var requestCount = 0

  /// SHARING.md, section 4: a rollout halts when more than 2 % of at least 20 reports are failures.
  static let haltingPercent = 2
  static let leastReports = 20

  mutating func take(_ version: Int, isFirst: Bool, isFailure: Bool) {
    requestCount += 1
    if isFirst { clients[version] += 1 }
    if isFailure { failures[version] += 1 }
  }

  func halts(_ version: Int) -> Bool {
    clients[version] >= Self.leastReports && failures[version] * 100 > clients[version] * Self.haltingPercent
  }
}
