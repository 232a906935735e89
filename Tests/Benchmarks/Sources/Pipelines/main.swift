import Glibc
import StreamCore
import StreamKit
import StreamRuntime

// What pipelines cost: W1 and W2 of the project's measurements, values that a host sends, and 100,000 executions.

/// The processor's time that this process has taken: what others do at the same time counts little.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
  try (0..<5).map { _ in
    let start = processorTime()
    try body()
    return processorTime() - start
  }.min() ?? 0
}

/// What of this process is in memory. 100,000 executions are more than the pages count.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var buffer = [CChar](repeating: 0, count: 128)
  let count = fread(&buffer, 1, 127, file)
  let text = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let fields = text.split(separator: " ")
  return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4_096
}

func report(_ what: String, _ figure: Double, _ unit: String) {
  print("\(what)\t\((figure * 10).rounded() / 10)\t\(unit)")
}

func compile(_ json: String, fuses: Bool = true) throws -> Pipeline {
  let document = try JSONDocument(reading: Array(json.utf8), file: "benchmark")
  return try LoadedStream(document, identity: "benchmark").compile(CompileOptions(fuses: fuses))
}

/// Runs to the end; gives the last value.
func last(_ pipeline: Pipeline) -> Value {
  let execution = Execution(pipeline)
  execution.request(.unlimited)
  var last = Value.null
  while let event = execution.next() {
    if case .value(let value) = event { last = value }
    if case .failure(let failure) = event { preconditionFailure(failure.message) }
  }
  return last
}

let map = #"{"map": {"expression": "value * 3"}}"#
let even = #"{"filter": {"expression": "value % 2 == 0"}}"#
let total = #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#
let plus = #"{"map": {"expression": "value + 1"}}"#
let odd = #"{"filter": {"expression": "value % 7 != 0"}}"#
let five = Array(repeating: "\(plus), \(odd)", count: 5).joined(separator: ", ")

func measureRange(_ name: String, _ operators: String, count: Int) throws {
  func json(_ count: Int) -> String {
    #"{"source": {"range": {"from": 1, "through": \#(count)}}, "operators": [\#(operators)]}"#
  }
  let pipeline = try compile(json(count))
  let plain = try compile(json(count / 10), fuses: false)
  let small = try compile(json(count / 10))
  precondition(last(small) == last(plain))
  report("\(name), unfused", nanoseconds { _ = last(plain) } / Double(count / 10), "ns a value")
  report("\(name), fused", nanoseconds { _ = last(pipeline) } / Double(count), "ns a value")
}

func measureSend(_ name: String, _ type: String, fuses: Bool = true) throws {
  let pipeline = try compile(
    #"{"inputs": {"a": {\#(type)}}, "source": {"input": {"name": "a"}}, "operators": [\#(map), \#(even), \#(plus), \#(total)]}"#,
    fuses: fuses)
  let execution = Execution(pipeline)
  execution.request(.unlimited)
  _ = execution.next()
  let count = 1_000_000
  var heard = 0
  let time = nanoseconds {
    for value in 0..<Int64(count) {
      execution.send(.int(value * 2 % 1_000), to: 0, at: .zero)
      while let event = execution.next() { if case .value = event { heard += 1 } }
    }
  }
  precondition(heard == 5 * count)
  report(name, time / Double(count), "ns a value sent and heard")
}

func measureMany(_ fuses: Bool) throws {
  let pipeline = try compile(
    #"{"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}}, "operators": [\#(map), \#(even), \#(total)]}"#,
    fuses: fuses)
  let name = fuses ? "fused" : "unfused"
  let count = 100_000
  var executions: [Execution] = []
  executions.reserveCapacity(count)
  let before = residentBytes()
  for _ in 0..<count {
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    _ = execution.next()
    executions.append(execution)
  }
  let after = residentBytes()
  report("an execution, \(name)", Double(after - before) / Double(count), "bytes")
  let time = nanoseconds {
    for value in 0..<Int64(10) {
      for execution in executions {
        execution.send(.int(value), to: 0, at: .zero)
        while execution.next() != nil {}
      }
    }
  }
  report("100,000 executions, \(name)", time / Double(count * 10), "ns a value sent and heard")
  executions = []
  let making = nanoseconds {
    for _ in 0..<count {
      let execution = Execution(pipeline)
      execution.request(.unlimited)
      _ = execution.next()
      execution.cancel()
    }
  }
  report("make, start and cancel, \(name)", making / Double(count), "ns")
}

// First, while none of the memory has been used before.
try measureMany(true)
try measureMany(false)
try measureRange("W1: range, map, filter, scan, last", "\(map), \(even), \(total), {\"last\": {}}", count: 10_000_000)
try measureRange("W1 with count", "\(map), \(even), \(total), {\"count\": {}}", count: 10_000_000)
try measureRange("W1, every total published", "\(map), \(even), \(total)", count: 3_000_000)
try measureRange("W2: five of map and filter, last", "\(five), {\"last\": {}}", count: 3_000_000)
try measureSend("send, map, filter, map, scan, unfused", #""type": "int""#, fuses: false)
try measureSend("send, map, filter, map, scan", #""type": "int""#)
try measureSend("the same, of a type that is not declared", "")
