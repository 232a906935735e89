import Foundation
import StreamSharing
import StreamTesting

/// `TrustFuzz [COUNT [SEED]]`: damaged and hostile repositories, each read by a client.
///
/// A client has to refuse each with a reason, or to trust what it would have trusted without the damage.
@main
struct TrustFuzz {
  private static let slowest = 1.0
  private static let mostMemory = 500

  private var kinds: [String: Int] = [:]
  private var accepted: [Attempt.Kind: Int] = [:]
  private var counts: [Attempt.Kind: Int] = [:]
  private var refusedTargets = 0
  private var longest = (seconds: 0.0, number: 0, kind: "")

  static func main() async {
    let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) ?? 0 }
    do {
      var fuzz = TrustFuzz()
      try await fuzz.run(count: Int(numbers.first ?? 1_000_000), seed: numbers.dropFirst().first ?? 1)
    } catch {
      FileHandle.standardError.write(Data("TrustFuzz: \(error)\n".utf8))
      exit(1)
    }
  }

  private struct Failure: Error, CustomStringConvertible { let description: String }

  private mutating func run(count: Int, seed: UInt64) async throws {
    let world = try await World(seed: seed)
    for number in 0..<count {
      var mutation = Mutation(random: SeededGenerator(seed: seed &* 0x1_0000_0000 &+ UInt64(number)))
      let attempt = Attempt(world, &mutation)
      let begin = Self.processorSeconds
      let trial = await Trial(attempt, world)
      let seconds = Self.processorSeconds - begin
      if seconds > longest.seconds { longest = (seconds, number, "\(attempt.kind.rawValue) of \(attempt.role)") }
      counts[attempt.kind, default: 0] += 1
      refusedTargets += trial.refusedTargets
      if let refusal = trial.refusal {
        kinds[refusal.kind.rawValue, default: 0] += 1
      } else {
        accepted[attempt.kind, default: 0] += 1
      }
      if let problem = trial.problem {
        throw Failure(
          description: "case \(number) of seed \(seed), \(attempt.kind.rawValue) of \(attempt.role): \(problem)")
      }
      if number % 5_000 == 4_999, Self.peakMegabytes > Self.mostMemory { break }
    }
    print(text(count, seed))
    guard longest.seconds < Self.slowest else {
      throw Failure(description: "case \(longest.number) took \(longest.seconds) s of processor time")
    }
    guard Self.peakMegabytes < Self.mostMemory else { throw Failure(description: "\(Self.peakMegabytes) MB of memory") }
  }

  private func text(_ count: Int, _ seed: UInt64) -> String {
    var lines = ["\(count) hostile repositories, seed \(seed)"]
    for (kind, number) in kinds.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      lines.append("  refused: \(kind)  \(number)")
    }
    for kind in Attempt.Kind.allCases {
      lines.append("  \(kind.rawValue): \(counts[kind] ?? 0), accepted \(accepted[kind] ?? 0)")
    }
    lines.append("  choices and targets refused after a refresh: \(refusedTargets)")
    let milliseconds = String(format: "%.1f", longest.seconds * 1_000)
    lines.append("  longest: \(milliseconds) ms of processor time, case \(longest.number), \(longest.kind)")
    lines.append("  peak memory: \(Self.peakMegabytes) MB")
    return lines.joined(separator: "\n")
  }

  /// Processor time, which does not depend on what else the machine does.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The highest amount of memory so far; 0 if the system does not report it.
  private static var peakMegabytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) / 1_024
  }
}
