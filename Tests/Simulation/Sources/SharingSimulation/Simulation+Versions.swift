import StreamSharing

extension Simulation {
  /// Chooses a version as the real client does, reads it, and starts it on probation.
  func decide(_ decision: Decision, _ now: Int) async throws {
    let (number, outcome) = (decision.client, table.outcomes[decision.outcome])
    guard var chooser = outcome.client else { return }
    let client = population.clients[number]
    decisionCount += 1
    if Origin.start + Int64(now) + Int64(client.clock) >= table.stored[Int(outcome.stored)].expiration {
      throw Violation("client \(number) chooses a version from metadata that have expired by its clock")
    }
    guard let selection = try await select(number, decision, by: &chooser) else { return }
    let version = UInt8(selection.publication.version)
    if version == client.good {
      if client.running != client.good { try run(version, on: number, now, isRestoration: true) }
      population.clients[number].trialEnd = 0
    } else if version != client.running {
      load.addEdges(1)
      let file = table.fileNumber("\(selection.target.path) \(version)")
      if edges[Int(client.edge)].fetches(file) { load.addOrigin(1) }
      // A lost or refused file is read again at the next refresh.
      if random.next() & 0xFFFF < Self.lostShare {
        downloadRefusals[Self.index(of: .unreachable)] += 1
        return
      }
      if let refusal = try await table.download(selection, by: chooser, from: decision.view) {
        downloadRefusals[Self.index(of: refusal)] += 1
        return
      }
      try check(version, on: client, number, isCandidate: selection.isCandidate)
      try run(version, on: number, now, isRestoration: false)
      begin(number, version, now)
    }
    population.clients[number].targets = outcome.targets
  }

  /// Chooses; nil if the client cannot. A file that could not be read is chosen once.
  private func select(
    _ number: Int, _ decision: Decision, by chooser: inout RepositoryClient
  ) async throws -> Selection? {
    let (client, targets) = (population.clients[number], table.outcomes[decision.outcome].targets)
    if client.pending == targets, let chosen = table.selections[Int(targets) << 8 | Int(client.pendingVersion)] {
      return chosen
    }
    selectionCount += 1
    do throws(TrustError) {
      let selection = try await chooser.select(
        origin.name.path, for: SharingClient(id: Population.id + String(number)), providing: { _ in true },
        refusing: { client.has(client.refused, UInt8($0.version)) })
      let version = selection.publication.version
      table.selections[Int(targets) << 8 | version] = selection
      population.clients[number].pending = targets
      population.clients[number].pendingVersion = UInt8(version)
      return selection
    } catch {
      downloadRefusals[Self.index(of: error.kind)] += 1
      return nil
    }
  }

  static func index(of kind: TrustError.Kind) -> Int { TrustError.Kind.allCases.firstIndex(of: kind) ?? 0 }

  /// Starts a probation of 60 seconds, in which version 3 fails on some clients.
  private func begin(_ number: Int, _ version: UInt8, _ now: Int) {
    startCount += 1
    let end = now + (fails(version, population.clients[number]) ? 1 + Int(random.next() % 59) : 60)
    population.clients[number].trialEnd = Int32(end)
    trials[end & 127].append(Int32(number))
    report(version, of: number, isFailure: false)
  }

  private func fails(_ version: UInt8, _ client: Client) -> Bool {
    version == 3 && client.traits.contains(.failsThree)
  }

  func endTrials(_ now: Int) {
    for entry in trials[now & 127] {
      let (number, client) = (Int(entry), population.clients[Int(entry)])
      guard client.trialEnd == Int32(now) else { continue }
      population.clients[number].trialEnd = 0
      if fails(client.running, client) {
        population.clients[number].refused |= 1 << client.running
        report(client.running, of: number, isFailure: true)
        move(number, to: client.good, now)
      } else {
        population.clients[number].good = client.running
        report(client.running, of: number, isFailure: false)
      }
    }
    trials[now & 127].removeAll(keepingCapacity: true)
  }

  private func report(_ version: UInt8, of number: Int, isFailure: Bool) {
    let client = population.clients[number]
    guard client.traits.contains(.reports), random.next() & 0xFFFF >= Self.lostShare else { return }
    hub.take(Int(version), isFirst: !client.has(client.reported, version), isFailure: isFailure)
    population.clients[number].reported |= 1 << version
  }

  // MARK: Running

  private func run(_ version: UInt8, on number: Int, _ now: Int, isRestoration: Bool) throws {
    let client = population.clients[number]
    // Older than one that has run: only since version 3 was halted, or failed here.
    if version < client.highest, !(client.highest == 3 && (halt != nil || client.has(client.refused, 3))) {
      throw Violation("client \(number) goes from version \(client.highest) back to version \(version)")
    }
    move(number, to: version, now)
  }

  private func move(_ number: Int, to version: UInt8, _ now: Int) {
    let client = population.clients[number]
    runningCounts[Int(client.running)] -= 1
    runningCounts[Int(version)] += 1
    if version == 3, !client.has(client.ran, 3) { ranThree += 1 }
    population.clients[number].running = version
    population.clients[number].ran |= 1 << version
    population.clients[number].highest = max(client.highest, version)
    if let step = steps.last, step.name != Self.rotation, version == wanted(client) { reach(number, now) }
  }

  /// Notes that a client has what the step is about.
  func reach(_ number: Int, _ now: Int) {
    let client = population.clients[number]
    guard client.traits.contains(.isPromised), Int(client.reached) != steps.count else { return }
    population.clients[number].reached = UInt8(steps.count)
    steps[steps.count - 1].delays[now - steps[steps.count - 1].start, default: 0] += 1
  }

  // MARK: Checks

  /// Checks that the version is meant for the client: it is stable at some time, or the client is in the bucket.
  private func check(_ version: UInt8, on client: Client, _ number: Int, isCandidate: Bool) throws {
    let limit: Int
    switch version {
    case 1, 2: limit = 10_000
    case 3: limit = Story.firstPercent * 100
    case 4:
      limit = stable == 4 ? 10_000 : (candidate?.version == 4 ? candidate?.percent ?? 0 : 0) * 100
    default: throw Violation("client \(number) runs version \(version), which does not exist")
    }
    guard Int(version == 3 ? client.bucket3 : client.bucket4) < limit else {
      throw Violation("client \(number) runs version \(version), which is not rolled out to it")
    }
    if client.has(client.refused, version) { throw Violation("client \(number) runs a version again that failed") }
  }

  /// Checks a step when the time is over in which nearly all clients have to follow, and all.
  func checkSteps(_ now: Int) throws {
    if let violation = violations.first { throw Violation(violation) }
    guard let step = steps.last, step.isPromised else { return }
    let permitted: Int
    switch now - step.start {
    case Step.deadline: permitted = options.clients / Step.lateClients
    case Step.lastDeadline: permitted = 0
    default: return
    }
    let late = population.clients.indices.filter { number in
      let client = population.clients[number]
      guard client.traits.contains(.isPromised) else { return false }
      return step.name == Self.rotation
        ? table.stored[Int(client.stored)].root < 2 : client.running != wanted(client)
    }
    guard late.count > permitted, let first = late.first else { return }
    let client = population.clients[first]
    throw Violation(
      """
      \(late.count) clients have not followed '\(step.name)' within \((now - step.start) / 60) minutes. Client \(first) \
      runs version \(client.running), after \(client.failures) failed refreshes; the next is due in \
      \(Int(client.due) - now) s.
      """)
  }

  func checkEnd() throws {
    guard let halt else { throw Violation("the bad version was not halted") }
    let six = options.clients * 6 / 100
    guard halt.ran < six, ranThree < six else {
      throw Violation("\(ranThree) clients have run the bad version, \(halt.ran) of them before the halt")
    }
    guard runningCounts[3] == 0 else { throw Violation("\(runningCounts[3]) clients still run the bad version") }
  }
}
