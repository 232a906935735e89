/// The state of one client, in 48 bytes.
struct Client {
  /// The identity of the trusted metadata.
  var stored: UInt16 = 0
  /// The identity of the targets role by which the client has chosen.
  var targets: UInt16 = 0
  /// The targets role by which the client has chosen a file that it could not read yet; 0 without one.
  var pending: UInt16 = 0
  /// The version of that file.
  var pendingVersion: UInt8 = 0
  /// The buckets in the rollouts of versions 3 and 4.
  var bucket3: UInt16 = 0
  var bucket4: UInt16 = 0
  var edge: UInt8 = 0
  /// Version that runs; 0 is the file that is built into the app.
  var running: UInt8 = 0
  /// Last version that has passed its probation.
  var good: UInt8 = 0
  var highest: UInt8 = 0
  /// Versions that have failed, a bit each.
  var refused: UInt8 = 0
  /// Versions that have run, a bit each.
  var ran: UInt8 = 0
  /// Versions about which the hub has a report, a bit each.
  var reported: UInt8 = 0
  var failures: UInt8 = 0
  var traits: Traits = []
  /// The step whose version the client has reached, plus 1.
  var reached: UInt8 = 0
  /// Deviation of the clock, in seconds.
  var clock: Int32 = 0
  /// End of the probation, in seconds; 0 without one.
  var trialEnd: Int32 = 0
  /// The next refresh by the schedule; a notice may cause one before.
  var scheduled: Int32 = 0
  /// The refresh that is due, and the neighbors in its second.
  var due: Int32 = 0
  var next: Int32 = -1
  var previous: Int32 = -1

  struct Traits: OptionSet {
    let rawValue: UInt8
    static let reports = Traits(rawValue: 1)
    /// Version 3 fails here.
    static let failsThree = Traits(rawValue: 2)
    /// An honest edge and a right clock: the client has to be up to date.
    static let isPromised = Traits(rawValue: 4)
  }

  func has(_ mask: UInt8, _ version: UInt8) -> Bool { mask >> version & 1 == 1 }
}

/// All clients, and a time wheel with the refreshes that are due: a list for each second.
final class Population {
  static let id = "client-"
  let clients: UnsafeMutableBufferPointer<Client>
  private let heads: UnsafeMutableBufferPointer<Int32>
  /// More seconds than the longest pause: 3,600 and 20 %.
  private static let span = 8_192

  init(count: Int) {
    clients = .allocate(capacity: count)
    clients.initialize(repeating: Client())
    heads = .allocate(capacity: Self.span)
    heads.initialize(repeating: -1)
  }

  deinit {
    clients.deallocate()
    heads.deallocate()
  }

  /// Schedules the refresh of a client.
  ///
  /// - Parameter isLinked: Whether another refresh is scheduled, which is removed.
  func schedule(_ client: Int, at time: Int, isLinked: Bool) {
    if isLinked { unlink(client) }
    let slot = time & (Self.span - 1)
    clients[client].due = Int32(time)
    clients[client].previous = -1
    clients[client].next = heads[slot]
    if heads[slot] >= 0 { clients[Int(heads[slot])].previous = Int32(client) }
    heads[slot] = Int32(client)
  }

  private func unlink(_ client: Int) {
    let (next, previous) = (clients[client].next, clients[client].previous)
    if next >= 0 { clients[Int(next)].previous = previous }
    if previous >= 0 {
      clients[Int(previous)].next = next
    } else {
      heads[Int(clients[client].due) & (Self.span - 1)] = next
    }
  }

  /// Removes the refreshes of a second.
  func take(_ time: Int, into batch: inout [Int32]) {
    batch.removeAll(keepingCapacity: true)
    let slot = time & (Self.span - 1)
    var client = heads[slot]
    heads[slot] = -1
    while client >= 0 {
      batch.append(client)
      client = clients[Int(client)].next
    }
  }
}
