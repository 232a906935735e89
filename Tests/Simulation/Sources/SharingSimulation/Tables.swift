import Foundation
import StreamSharing

/// The results as text for people.
enum Tables {
  static func load(_ days: [Simulation]) -> String {
    var rows = [["clients", "edges/s", "busiest second", "origin/s", "busiest minute", "busiest second"]]
    for day in days {
      rows.append([
        count(day.options.clients), decimal(day.load.edges.perSecond), count(day.load.edges.peak),
        decimal(day.load.origin.perSecond), decimal(day.load.origin.busiestMinute), count(day.load.origin.peak),
      ])
    }
    return "Requests that edges answer, and that reach the origin\n" + aligned(rows)
  }

  static func steps(_ day: Simulation) -> String {
    var rows = [["step", "at", "clients", "50 %", "90 %", "99 %", "99.9 %", "all"]]
    for step in day.steps {
      let delays = [0.5, 0.9, 0.99, 0.999, 1].map { step.delay(of: $0).map(minutes) ?? "" }
      rows.append([step.name, clock(step.start), count(step.count)] + delays)
    }
    return "Time until clients with a right clock and an honest edge follow, in minutes and seconds\n" + aligned(rows)
  }

  static func rollout(_ day: Simulation) -> String {
    guard let halt = day.halt else { return "" }
    let all = day.options.clients
    let last = day.rollout.last?.ran ?? 0
    return """
      The bad version, on 5 % of the clients
        halted after \(halt.time - Story.Event.badThree.time) s, with \(halt.failures) failures of \(halt.reports) reports
        run by \(percent(halt.ran, of: all)) of all clients before the halt, and by \(percent(last, of: all)) ever

      """
  }

  static func safety(_ day: Simulation) -> String {
    var rows = [["refused", "refreshes", "choices and files"]]
    for (index, kind) in TrustError.Kind.allCases.enumerated()
    where day.refusals[index] + day.downloadRefusals[index] > 0 {
      rows.append([kind.rawValue, count(day.refusals[index]), count(day.downloadRefusals[index])])
    }
    rows.append(["of", count(day.refreshCount), count(day.decisionCount)])
    return """
      \(aligned(rows))
      \(count(day.startCount)) starts of a version: none unsigned, changed, expired, withdrawn, or meant for others
      \(count(day.table.outcomes.count)) different refreshes, run by RepositoryClient; \(count(day.selectionCount)) selections
      versions at the end: \(versions(day))

      """
  }

  private static func versions(_ day: Simulation) -> String {
    day.runningCounts.enumerated().filter { $1 > 0 }.map { version, clients in
      "\(version == 0 ? "built in" : "version \(version)") \(percent(clients, of: day.options.clients))"
    }.joined(separator: ", ")
  }

  // MARK: Text

  static func count(_ number: Int) -> String {
    var digits = String(number)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }

  static func decimal(_ number: Double) -> String { String(format: "%.2f", number) }
  static func percent(_ part: Int, of all: Int) -> String {
    String(format: "%.2f %%", Double(part) * 100 / Double(all))
  }
  static func minutes(_ seconds: Int) -> String { String(format: "%d:%02d", seconds / 60, seconds % 60) }
  static func clock(_ seconds: Int) -> String {
    String(format: "%02d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60)
  }

  private static func aligned(_ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + space : space + text
      }
      return "  " + cells.joined(separator: "  ") + "\n"
    }.joined()
  }
}
