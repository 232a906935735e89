// The workloads of the project beside their peers, in one run. Ours are the files of `Streams/`, loaded and compiled now.
//
//   swift run -c release --package-path Tests/Benchmarks Workloads [--quick] [--growth] [NAME...]
//
// Prints `workload<TAB>peer<TAB>ns_per_value<TAB>ratio_to_ours`: medians of five rounds, ours and theirs by turns. Every
// answer is checked. With names only the workloads that begin so. `--growth` measures ours alone, from 10,000 values to
// 10,000,000.

let arguments = Array(CommandLine.arguments.dropFirst())
let isQuick = arguments.contains("--quick")
let names = arguments.filter { !$0.hasPrefix("--") }

func workloads(_ count: Int) -> [Workload] {
  let many = max(count / 10, 1)
  // NB: fewer timers: what `VirtualScheduler` takes for one grows with how many wait.
  return [w1(count), w2(count), w3(count)] + w4(count) + w5(count) + w7(many) + [w8(many / 10)] + compiling()
}

func isWanted(_ name: String) -> Bool { names.isEmpty || names.contains { name.hasPrefix($0) } }

print("workload\tpeer\tns_per_value\tratio_to_ours")
if arguments.contains("--growth") {
  for count in [10_000, 100_000, 1_000_000, 10_000_000] {
    for workload in workloads(count) where isWanted(workload.name) {
      let ours = Workload("\(workload.name), \(workload.count)", count: workload.count, [workload.contenders[0]])
      await ours.measure(rounds: 3)
    }
  }
} else {
  if isWanted("W7") { printMemory(isQuick ? 10_000 : 100_000) }
  for workload in workloads(isQuick ? 100_000 : 1_000_000) where isWanted(workload.name) {
    await workload.measure(rounds: isQuick ? 3 : 5)
  }
}
