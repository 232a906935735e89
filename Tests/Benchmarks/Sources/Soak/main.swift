import StreamCore
import StreamEngine
import StreamKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// Runs one stream for a very long time and prints its memory: as much after 10^8 values as after 10^6.
//
//   swift run -c release --package-path Tests/Benchmarks Soak [VALUES]
//
// Values arrive a millisecond apart, sometimes after a pause long enough for `debounce`; their keys are 110,000, more
// than what `groupBy` may keep, so that groups are evicted all the time.

let json = """
  {
    "inputs": { "a": { "type": "int" } },
    "streams": {
      "quiet": { "source": { "input": { "name": "a" } }, "operators": [ { "debounce": { "seconds": 0.002 } } ] }
    },
    "source": { "input": { "name": "a" } },
    "operators": [
      { "groupBy": { "key": "value % 110000", "limit": 100000, "whenFull": "evictOldest", "idle": 1000,
                     "operators": [ { "scan": { "initialValue": 0, "expression": "acc + 1" } } ] } },
      { "combineLatest": { "with": [ "quiet" ], "expression": "values[0] + values[1] % 10" } },
      { "flatMap": { "maxPublishers": 4, "stream": {
          "source": { "just": { "expression": "outer + outerIndex % 2" } },
          "operators": [ { "filter": { "expression": "value % 3 != 0" } } ] } } }
    ]
  }
  """

/// Bytes of memory that the process has at present.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var buffer = [CChar](repeating: 0, count: 128)
  guard fgets(&buffer, 128, file) != nil else { return 0 }
  let fields = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    .split(separator: " ")
  return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
}

let total = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 100_000_000
let document = try JSONDocument(reading: Array(json.utf8), file: "soak.json")
let execution = Execution(try StreamFile(document, identity: "soak.json").compile())
execution.request(.unlimited)

let clock = ContinuousClock()
let start = clock.now
var published = 0
var sum: Int64 = 0
var time: Int64 = 0
var number: UInt64 = 1
var mark = 10_000
for count in 1...total {
  number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
  time += count % 16 == 0 ? 5_000_000 : 1_000_000
  execution.send(.int(Int64(number >> 33)), to: 0, at: StreamTime(nanoseconds: time))
  while let event = execution.next() {
    switch event {
    case .value(.int(let value)):
      published += 1
      sum &+= value
    case .finished, .failure:
      print("the stream ended: \(event)")
      exit(1)
    default: break
    }
  }
  if count == mark || count == total {
    let elapsed = start.duration(to: clock.now)
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
    print(
      "\(count)\tvalues\t\(published)\tpublished\t\(residentBytes() / 1024)\tKB\t\(execution.stageCount)\tstages\t"
        + "\(Int(seconds * 1e9 / Double(count)))\tns a value\tchecksum \(sum)")
    fflush(nil)
    mark *= 10
  }
}
