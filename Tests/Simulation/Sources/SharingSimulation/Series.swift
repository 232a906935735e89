import Foundation

/// The results as series for plots.
enum Series {
  static func write(_ days: [Simulation], to folder: String) throws {
    guard let largest = days.last else { return }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(versions(largest), to: folder + "/versions.csv")
    try write(rollout(largest), to: folder + "/rollout.csv")
    try write(delays(largest), to: folder + "/delays.csv")
    try write(load(days), to: folder + "/load.csv")
  }

  private static func write(_ lines: [String], to path: String) throws {
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// The share of the clients that run each version, by minute.
  private static func versions(_ day: Simulation) -> [String] {
    let all = Double(day.options.clients)
    return ["minute,builtIn,v1,v2,v3,v4"]
      + day.shares.enumerated().map { minute, counts in
        ([String(minute)] + counts.prefix(5).map { String(format: "%.6f", Double($0) / all) }).joined(separator: ",")
      }
  }

  /// The clients that have ever run the bad version, and the reports about it, by second since its publication.
  private static func rollout(_ day: Simulation) -> [String] {
    let halt = (day.halt?.time ?? .max) - Story.Event.badThree.time
    return ["second,ranShare,reports,failures,halted"]
      + day.rollout.enumerated().map { second, entry in
        let share = String(format: "%.6f", Double(entry.ran) / Double(day.options.clients))
        return "\(second),\(share),\(entry.reports),\(entry.failures),\(second >= halt ? 1 : 0)"
      }
  }

  /// The share of the clients that have followed a step, by seconds since its begin.
  private static func delays(_ day: Simulation) -> [String] {
    var lines = ["step,second,share"]
    for step in day.steps where step.count > 0 {
      var sum = 0
      for (delay, clients) in step.delays.sorted(by: { $0.key < $1.key }) {
        sum += clients
        lines.append("\(step.name),\(delay),\(String(format: "%.6f", Double(sum) / Double(step.count)))")
      }
    }
    return lines
  }

  /// Requests per second at the edges and at the origin, by minute.
  private static func load(_ days: [Simulation]) -> [String] {
    var lines = ["clients,minute,edges,origin"]
    for day in days {
      for (minute, edges) in day.load.edges.minutes.enumerated() {
        let origin = Double(day.load.origin.minutes[minute]) / 60
        lines.append("\(day.options.clients),\(minute),\(Tables.decimal(Double(edges) / 60)),\(Tables.decimal(origin))")
      }
    }
    return lines
  }
}
