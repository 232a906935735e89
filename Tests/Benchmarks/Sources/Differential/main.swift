import Dispatch
import StreamTesting
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// Runs random pipelines in every mode and compares what they say with what the baseline says, on so many threads.
//
//   PROPERTIES=1000000 swift run -c release --package-path Tests/Benchmarks Differential
//
// Environment variables: PROPERTIES, the number of pipelines (20,000); SEED, the first seed (0); THREADS, the number of
// threads (2); MODES, the modes to run, separated by commas (all); SHOW, how many differences are shrunk and printed
// (10); DIFFERENCES, after how many a thread stops (100). Exits with 1 if something differs.

/// The findings of one thread.
struct Findings {
  var pipelines = 0
  var misfits = 0
  var modes: [Differential.Mode: Int] = [:]
  /// Pipelines with each kind of operator, and those without.
  var flavors: [String: Int] = [:]
  /// Pipelines whose baseline does not end.
  var endless = 0
  /// Pipelines by the number of their values: less than 32, then up to each power of two.
  var sizes: [Int: Int] = [:]
  var differences: [(seed: UInt64, mode: Differential.Mode?, text: String)] = []

  mutating func attempt(_ seed: UInt64) {
    let pipeline = RandomPipeline(seed: seed)
    let differential: Differential
    do {
      guard let fitting = try Differential(pipeline) else {
        misfits += 1
        return
      }
      differential = fitting
    } catch {
      differences.append((seed, nil, "does not compile: \(error)"))
      return
    }
    let running = modesToRun.map { differential.modes.filter($0.contains) }
    guard let found = differential.differences(in: running) else {
      endless += 1
      return
    }
    pipelines += 1
    for flavor in pipeline.flavors { flavors[flavor.rawValue, default: 0] += 1 }
    if pipeline.flavors.isEmpty { flavors["steps", default: 0] += 1 }
    var bound = 32
    while bound <= pipeline.size { bound *= 2 }
    sizes[bound, default: 0] += 1
    for mode in running ?? differential.modes { modes[mode, default: 0] += 1 }
    for difference in found {
      differences.append((seed, difference.mode, "\(difference.mode): \(difference.text)"))
    }
  }

  mutating func add(_ other: Findings) {
    pipelines += other.pipelines
    misfits += other.misfits
    endless += other.endless
    flavors.merge(other.flavors, uniquingKeysWith: +)
    modes.merge(other.modes, uniquingKeysWith: +)
    sizes.merge(other.sizes, uniquingKeysWith: +)
    differences += other.differences
  }
}

func setting(_ name: String, _ byDefault: UInt64) -> UInt64 {
  getenv(name).flatMap { UInt64(String(cString: $0)) } ?? byDefault
}

let count = setting("PROPERTIES", 20_000)
let modesToRun = getenv("MODES").map { names in
  String(cString: names).split(separator: ",").compactMap { Differential.Mode(rawValue: String($0)) }
}
let stopCount = Int(setting("DIFFERENCES", 100))
let shownCount = Int(setting("SHOW", 10))
let first = setting("SEED", 0)
let threads = max(setting("THREADS", 2), 1)
let start = ContinuousClock.now

let all = Mutex(Findings())
// NB: no task group. An asynchronous main program never returns to its first thread, which valgrind 3.19 does not survive.
DispatchQueue.concurrentPerform(iterations: Int(threads)) { thread in
  var findings = Findings()
  var number = UInt64(thread)
  while number < count {
    findings.attempt(first &+ number)
    number += threads
    if thread == 0, number / threads % 25_000 == 0 {
      print("\(number) of \(count), \(findings.differences.count) differences on the first thread")
      fflush(nil)
    }
    // A program that is wrong at every step need not be run to the end.
    if findings.differences.count >= stopCount { break }
  }
  all.withLock { $0.add(findings) }
}
let findings = all.withLock { $0 }

print(
  "\(findings.pipelines) pipelines from seed \(first), \(findings.misfits) did not fit together, \(findings.endless) have no end"
)
print("took \(ContinuousClock.now - start) on \(threads) threads")
for mode in Differential.Mode.allCases { print("  \(mode): \(findings.modes[mode] ?? 0)") }
for (flavor, number) in findings.flavors.sorted(by: { $0.key < $1.key }) { print("  with \(flavor): \(number)") }
for (bound, number) in findings.sizes.sorted(by: { $0.key < $1.key }) { print("  under \(bound) values: \(number)") }
print("\(findings.differences.count) differences")
var shownSeeds: Set<UInt64> = []
for difference in findings.differences.sorted(by: { $0.seed < $1.seed }) where shownSeeds.count < shownCount {
  guard shownSeeds.insert(difference.seed).inserted else { continue }
  print("seed \(difference.seed) \(difference.text)")
  if let mode = difference.mode {
    print("shrunk:", Differential.shrunk(RandomPipeline(seed: difference.seed), in: mode).report)
  }
}
exit(findings.differences.isEmpty ? 0 : 1)
