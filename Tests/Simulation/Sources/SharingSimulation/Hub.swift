import StreamSharing

/// The reports of a hub about versions: one for each client, its last.
struct Hub {
  private(set) var clients = [Int](repeating: 0, count: 8)
  private(set) var failures = [Int](repeating: 0, count: 8)
  private(set) var requestCount = 0

  private let rule = HaltRule()

  mutating func take(_ version: Int, isFirst: Bool, isFailure: Bool) {
    requestCount += 1
    if isFirst { clients[version] += 1 }
    if isFailure { failures[version] += 1 }
  }

  func halts(_ version: Int) -> Bool {
    rule.halts(failures[version], of: clients[version])
  }
}
