import Foundation

/// `SharingSimulation [--clients N,N…] [--seed N] [--lifetime SECONDS] [--notices yes|no] [--csv FOLDER]`
@main
struct SharingSimulation {
  private var clients = [10_000, 100_000, 1_000_000]
  private var seed: UInt64 = 1
  private var lifetime = 60
  private var sendsNotices = true
  private var folder: String?

  private init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Violation("'\(name)' needs a value") }
      switch name {
      case "--clients": clients = value.split(separator: ",").compactMap { Int($0) }
      case "--seed": seed = UInt64(value) ?? 1
      case "--lifetime": lifetime = Int(value) ?? 60
      case "--notices": sendsNotices = value != "no"
      case "--csv": folder = value
      default: throw Violation("'\(name)' is not an option")
      }
    }
    guard !clients.isEmpty, clients.allSatisfy({ (100...10_000_000).contains($0) }), (1...3_600).contains(lifetime)
    else { throw Violation("expected 100 to 10,000,000 clients, and a lifetime of 1 to 3,600 seconds") }
  }

  static func main() async {
    do {
      try await SharingSimulation(Array(CommandLine.arguments.dropFirst())).run()
    } catch {
      FileHandle.standardError.write(Data("SharingSimulation: \(error)\n".utf8))
      exit(1)
    }
  }

  private func run() async throws {
    var days: [Simulation] = []
    for count in clients {
      let begin = ContinuousClock.now
      let day = try Simulation(
        Simulation.Options(clients: count, seed: seed, lifetime: lifetime, sendsNotices: sendsNotices))
      try await day.run()
      // Not on standard output, which is the same in every run.
      let seconds = (ContinuousClock.now - begin).components.seconds
      FileHandle.standardError.write(Data("\(Tables.count(count)) clients: \(seconds) s\n".utf8))
      days.append(day)
    }
    guard let largest = days.last else { return }
    print(
      "\(Tables.count(largest.options.clients)) clients, 24 hours, seed \(seed), edges keep timestamps \(lifetime) s"
        + "\(sendsNotices ? "" : ", no notices")\n")
    print(Tables.load(days))
    print(Tables.steps(largest))
    print(Tables.rollout(largest))
    print(Tables.safety(largest), terminator: "")
    if let folder { try Series.write(days, to: folder) }
  }
}
