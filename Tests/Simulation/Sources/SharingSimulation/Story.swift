/// The day of the publisher.
enum Story {
  static let day = 86_400
  static let hour = 3_600
  static let theft = 16 * hour
  static let rotation = 17 * hour

  /// A change at a time.
  enum Event: CaseIterable {
    case two, badThree, fourFive, fourQuarter, fourAll, rotate, renew

    var time: Int {
      switch self {
      case .two: 2 * hour
      case .badThree: 4 * hour
      case .fourFive: 8 * hour
      case .fourQuarter: 10 * hour
      case .fourAll: 12 * hour
      case .rotate: rotation
      case .renew: 20 * hour
      }
    }
  }

  /// The percentages of the candidates.
  static let firstPercent = 5
  static let secondPercent = 25
  /// Share of the clients on which version 3 fails.
  static let failingPercent = 40
}

/// A change that clients have to follow, and the times that they took.
struct Step {
  let name: String
  let start: Int
  /// The last second at which the step counts: the next step comes.
  var end = Story.day
  /// Whether every client has to run the step's version in time. A bad version is halted before.
  let isPromised: Bool
  /// Clients by seconds until they reached the step's version.
  var delays: [Int: Int] = [:]

  /// The seconds in which all clients but a few have to follow, and all. A client that loses many requests in a row waits
  /// for up to an hour: see `RefreshSchedule.longestRetry`.
  static let deadline = 45 * 60
  static let lastDeadline = 119 * 60
  /// One client of so many may miss the first deadline.
  static let lateClients = 50_000

  var count: Int { delays.values.reduce(0, +) }

  /// The seconds after which a share of the clients that reached it had reached it; nil without clients.
  func delay(of share: Double) -> Int? {
    let wanted = max(1, Int((Double(count) * share).rounded(.up)))
    var sum = 0
    for (delay, clients) in delays.sorted(by: { $0.key < $1.key }) {
      sum += clients
      if sum >= wanted { return delay }
    }
    return nil
  }
}
