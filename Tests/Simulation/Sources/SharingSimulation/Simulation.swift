import RepositoryFiles
import StreamSharing
import StreamTesting

/// One day of a publisher, a CDN, a hub and many clients, in virtual time.
final class Simulation {
  struct Options {
    var clients: Int
    var seed: UInt64
    /// The time for which edges keep `timestamp.json`, in seconds.
    var lifetime: Int
    /// Whether the hub sends notices of changes.
    var sendsNotices = true
  }

  static let edgeCount = 50
  /// Shares, of 65,536.
  static let lostShare: UInt64 = 1_966
  static let lateShare: UInt64 = 1_311
  static let missedNoticeShare: UInt64 = 3_277
  static let lateNoticeShare: UInt64 = 1_311

  let options: Options
  let origin: Origin
  let table: RefreshTable
  let population: Population
  let schedule = RefreshSchedule()
  var edges: [Edge]
  var random: SeededGenerator
  var hub = Hub()
  var load = Load()
  var steps: [Step] = []

  // MARK: The publisher's decisions

  var stable: UInt8 = 1
  var candidate: (version: UInt8, percent: Int)?
  var halt: Halt?

  /// The halt of version 3.
  struct Halt {
    let time: Int
    let ran: Int
    let reports: Int
    let failures: Int
  }

  // MARK: Counters

  var runningCounts = [Int](repeating: 0, count: 8)
  /// Clients that have ever run version 3.
  var ranThree = 0
  var refusals = [Int](repeating: 0, count: TrustError.Kind.allCases.count)
  var downloadRefusals = [Int](repeating: 0, count: TrustError.Kind.allCases.count)
  var refreshCount = 0
  /// Promises that do not hold, found where nothing can be thrown.
  var violations: [String] = []
  var decisionCount = 0
  var selectionCount = 0
  var startCount = 0
  /// Clients by version, each minute.
  var shares: [[Int]] = []
  /// Clients that ran version 3, reports and failures about it, each second of the half hour after its publication.
  var rollout: [(ran: Int, reports: Int, failures: Int)] = []

  struct Decision {
    let client: Int
    let outcome: Int
    let view: View
  }

  struct Waiting {
    let client: Int
    let key: RefreshTable.Key
    let lost: UInt64
  }

  var decisions: [Decision] = []
  var waiting: [Waiting] = []
  private var batch: [Int32] = []
  /// Clients whose probation may end, by second.
  var trials = [[Int32]](repeating: [], count: 128)

  init(_ options: Options) throws {
    self.options = options
    random = SeededGenerator(seed: options.seed)
    origin = try Origin(seed: options.seed)
    try origin.publish(1, at: 0)
    let foreign = try Origin(seed: options.seed &+ 1)
    try foreign.publish(1, at: 0)
    table = try RefreshTable(origin, Views(origin, foreign: foreign))
    population = Population(count: options.clients)
    let liars: [Edge.Kind] = [.freeze, .rollBack, .tamper, .mix, .foreign]
    edges = []
    for number in 0..<Self.edgeCount {
      edges.append(
        Edge(
          number < liars.count ? liars[number] : .honest, lifetime: options.lifetime, timestamp: origin.epoch,
          age: Int(random.next() % UInt64(options.lifetime))))
    }
    for client in 0..<options.clients { makeClient(client) }
    runningCounts[0] = options.clients
    steps.append(Step(name: "apps start with version 1", start: 0, isPromised: true))
  }

  private func makeClient(_ number: Int) {
    var client = Client()
    let id = Population.id + String(number)
    client.bucket3 = rolloutBucket(of: id, salt: "fraud-3")
    client.bucket4 = rolloutBucket(of: id, salt: "fraud-4")
    client.edge = UInt8(random.next() % UInt64(Self.edgeCount))
    if happens(30) { client.traits.insert(.reports) }
    if happens(Story.failingPercent) { client.traits.insert(.failsThree) }
    if happens(1) { client.clock = Int32(Int64(random.next() % 1_728_001) - 864_000) }
    if client.clock == 0, edges[Int(client.edge)].kind == .honest { client.traits.insert(.isPromised) }
    population.clients[number] = client
    population.clients[number].scheduled = Int32(random.next() % 300)
    population.schedule(number, at: Int(population.clients[number].scheduled), isLinked: false)
  }

  private func happens(_ percent: Int) -> Bool { random.next() % 100 < UInt64(percent) }

  /// A number from 0 to 1.
  func chance() -> Double { Double(random.next() >> 11) / 9_007_199_254_740_992 }

  // MARK: The day

  func run() async throws {
    for now in 0..<Story.day {
      for event in Story.Event.allCases where event.time == now { try happen(event, now) }
      population.take(now, into: &batch)
      for client in batch { refresh(Int(client), now) }
      for entry in waiting { try await finish(entry, now) }
      waiting.removeAll(keepingCapacity: true)
      for decision in decisions { try await decide(decision, now) }
      decisions.removeAll(keepingCapacity: true)
      endTrials(now)
      if candidate?.version == 3, hub.halts(3) { try haltThree(now) }
      load.endSecond(now)
      if now.isMultiple(of: 60) { shares.append(runningCounts) }
      if now >= Story.Event.badThree.time, rollout.count < 1_800 {
        rollout.append((ranThree, hub.clients[3], hub.failures[3]))
      }
      try checkSteps(now)
    }
    try checkEnd()
  }

  private func happen(_ event: Story.Event, _ now: Int) throws {
    switch event {
    case .two:
      try origin.publish(2, at: now)
      stable = 2
      begin("version 2 to all", now)
    case .badThree:
      try origin.publish(3, percent: Story.firstPercent, at: now)
      candidate = (3, Story.firstPercent)
      begin("version 3 to 5 % (bad)", now, isPromised: false)
    case .fourFive:
      try origin.publish(4, percent: Story.firstPercent, at: now)
      candidate = (4, Story.firstPercent)
      begin("version 4 to 5 %", now)
    case .fourQuarter:
      try origin.promote(percent: Story.secondPercent, at: now)
      candidate = (4, Story.secondPercent)
      begin("version 4 to 25 %", now)
    case .fourAll:
      try origin.promote(percent: nil, at: now)
      (stable, candidate) = (4, nil)
      begin("version 4 to all", now)
    case .rotate:
      try origin.rotateTargets(at: now)
      begin(Self.rotation, now)
    case .renew: try origin.renew(at: now)
    }
  }

  static let rotation = "new targets key"

  private func haltThree(_ now: Int) throws {
    halt = Halt(time: now, ran: ranThree, reports: hub.clients[3], failures: hub.failures[3])
    try origin.halt(reason: "\(hub.failures[3]) of \(hub.clients[3]) clients report failures", at: now)
    candidate = nil
    begin("version 3 halted: back to 2", now)
  }

  /// Begins a step, and sends notices of it.
  private func begin(_ name: String, _ now: Int, isPromised: Bool = true) {
    steps[steps.count - 1].end = now
    steps.append(Step(name: name, start: now, isPromised: isPromised))
    for client in 0..<(options.sendsNotices ? options.clients : 0) {
      let draw = random.next()
      guard draw & 0xFFFF >= Self.missedNoticeShare else { continue }
      var delay = Double((draw >> 16) & 0xFFFF) / 65_536 * 2
      if (draw >> 32) & 0xFFFF < Self.lateNoticeShare { delay *= 150 }
      // As `RefreshSchedule` spreads them. An earlier regular refresh takes the place of this one.
      delay += schedule.noticeSpread * Double(draw >> 48) / 65_536
      let time = now + 1 + Int(delay)
      if time < Int(population.clients[client].due) { population.schedule(client, at: time, isLinked: true) }
    }
  }

  /// The version that a client has to run.
  func wanted(_ client: Client) -> UInt8 {
    guard let candidate else { return stable }
    let bucket = candidate.version == 3 ? client.bucket3 : client.bucket4
    return Int(bucket) < candidate.percent * 100 ? candidate.version : stable
  }
}
