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
// PROPERTIES says how many pipelines (20,000), SEED where to begin (0), THREADS on how many threads (2). It ends with 1
// where something differs, or where too few pipelines have reached the columns.

/// What one thread has found.
struct Findings {
  var pipelines = 0
  var misfits = 0
  var byColumns = 0
  var modes: [Differential.Mode: Int] = [:]
  /// Pipelines by the number of their values: less than 32, then up to each power of two.
  var sizes: [Int: Int] = [:]
  var differences: [(seed: UInt64, text: String)] = []

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
      differences.append((seed, "does not compile: \(error)"))
      return
    }
    pipelines += 1
    var bound = 32
    while bound <= pipeline.size { bound *= 2 }
    sizes[bound, default: 0] += 1
    for mode in differential.modes { modes[mode, default: 0] += 1 }
    for difference in differential.differences() {
      differences.append((seed, "\(difference.mode): \(difference.text)\n  \(differential.listing)"))
    }
    if differential.columnInputCount > 0 { byColumns += 1 }
  }

  mutating func add(_ other: Findings) {
    pipelines += other.pipelines
    misfits += other.misfits
    byColumns += other.byColumns
    modes.merge(other.modes, uniquingKeysWith: +)
    sizes.merge(other.sizes, uniquingKeysWith: +)
    differences += other.differences
  }
}

func setting(_ name: String, _ byDefault: UInt64) -> UInt64 {
  getenv(name).flatMap { UInt64(String(cString: $0)) } ?? byDefault
}

let count = setting("PROPERTIES", 20_000)
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
    if findings.differences.count >= 100 { break }
  }
  all.withLock { $0.add(findings) }
}
let findings = all.withLock { $0 }

print("\(findings.pipelines) pipelines from seed \(first), \(findings.misfits) did not fit together")
print("took \(ContinuousClock.now - start) on \(threads) threads")
for mode in Differential.Mode.allCases { print("  \(mode): \(findings.modes[mode] ?? 0)") }
for (bound, number) in findings.sizes.sorted(by: { $0.key < $1.key }) { print("  under \(bound) values: \(number)") }
print("\(findings.byColumns) pipelines were run by columns")
print("\(findings.differences.count) differences")
for difference in findings.differences.sorted(by: { $0.seed < $1.seed }).prefix(20) {
  print("seed \(difference.seed) \(difference.text)")
}
let isReached = findings.byColumns * 10 >= findings.pipelines
if !isReached { print("fewer than one pipeline in ten was run by columns: the generator no longer reaches them") }
exit(findings.differences.isEmpty && isReached ? 0 : 1)
