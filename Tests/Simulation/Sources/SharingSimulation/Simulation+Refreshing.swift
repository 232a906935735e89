import StreamSharing

extension Simulation {
  /// Refreshes a client by what is known of equal refreshes; else it waits for the real code.
  func refresh(_ number: Int, _ now: Int) {
    let client = population.clients[number]
    let draw = random.next()
    var fetches = Edge.Fetches()
    let view = edges[Int(client.edge)].view(
      ofClientWith: table.stored[Int(client.stored)].root, at: now, origin: origin,
      isLate: draw >> 48 < Self.lateShare, &random, &fetches)
    load.addOrigin(fetches.count)
    let passed =
      client.clock == 0 ? 0 : origin.passedExpiration(at: Origin.start + Int64(now) + Int64(client.clock))
    let key = RefreshTable.Key(
      stored: client.stored, view: view, passed: passed, lost: RefreshTable.Key.noneLost)
    let lost = random.next()
    guard let outcome = table.known(key) else {
      return waiting.append(Waiting(client: number, key: key, lost: lost))
    }
    guard let lostRequest = lostRequest(lost, of: table.outcomes[outcome].requestCount) else {
      return apply(outcome, nil, view, to: number, now)
    }
    guard let failed = table.known(Self.losing(lostRequest, key)) else {
      return waiting.append(Waiting(client: number, key: key, lost: lost))
    }
    apply(failed, lostRequest, view, to: number, now)
  }

  /// Refreshes a client with the real code.
  func finish(_ entry: Waiting, _ now: Int) async throws {
    var outcome = try await table.outcome(entry.key)
    let lost = lostRequest(entry.lost, of: table.outcomes[outcome].requestCount)
    if let lost { outcome = try await table.outcome(Self.losing(lost, entry.key)) }
    apply(outcome, lost, entry.key.view, to: entry.client, now)
  }

  private static func losing(_ request: Int, _ key: RefreshTable.Key) -> RefreshTable.Key {
    RefreshTable.Key(stored: key.stored, view: key.view, passed: key.passed, lost: request)
  }

  /// The first request that is lost; nil if all are answered.
  private func lostRequest(_ draw: UInt64, of count: Int) -> Int? {
    var draw = draw
    for request in 0..<count {
      // Four requests to a random number.
      if request > 0, request & 3 == 0 { draw = draw &* 0x9E37_79B9_7F4A_7C15 ^ draw >> 29 }
      if (draw >> UInt64(16 * (request & 3))) & 0xFFFF < Self.lostShare { return request }
    }
    return nil
  }

  private func apply(_ number: Int, _ lost: Int?, _ view: View, to client: Int, _ now: Int) {
    refreshCount += 1
    let requests = table.requests(of: number)
    load.addEdges(lost.map { $0 + 1 } ?? requests.count)
    let edge = Int(population.clients[client].edge)
    for file in requests.files where edges[edge].fetches(file) { load.addOrigin(1) }
    let before = population.clients[client].stored
    if before != requests.stored { trust(requests.stored, before, client, now) }
    var delay: Double
    // A refresh after a notice does not postpone the next scheduled one.
    var isScheduled = population.clients[client].scheduled <= Int32(now)
    let share = 1 + schedule.jitter * (2 * chance() - 1)
    if let refusal = requests.refusal {
      refusals[refusal] += 1
      let failures = min(population.clients[client].failures + 1, 40)
      population.clients[client].failures = failures
      isScheduled = true
      delay = min(schedule.firstRetry * Double(1 << Int64(failures - 1)), schedule.longestRetry) * share
    } else {
      population.clients[client].failures = 0
      delay = schedule.seconds * share
      if requests.targets != population.clients[client].targets {
        decisions.append(Decision(client: client, outcome: number, view: view))
      }
    }
    if isScheduled { population.clients[client].scheduled = Int32(now + max(1, Int(delay))) }
    population.schedule(client, at: Int(population.clients[client].scheduled), isLinked: false)
  }

  /// Replaces trusted metadata, which never go back.
  private func trust(_ new: UInt16, _ old: UInt16, _ client: Int, _ now: Int) {
    let (before, after) = (table.stored[Int(old)], table.stored[Int(new)])
    if after.root < before.root || after.timestamp < before.timestamp {
      violations.append("client \(client) trusts an older root or timestamp than before")
    }
    population.clients[client].stored = new
    if before.root < 2, after.root == 2, steps.last?.name == Self.rotation { reach(client, now) }
  }
}
