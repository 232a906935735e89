// The workloads of the project beside their peers, in one run. Ours are the files of `Streams/`, loaded and compiled now.
//
//   swift run -c release --package-path Tests/Benchmarks Workloads [OPTION...] [NAME...]
//
// Prints `workload<TAB>peer<TAB>ns_per_value<TAB>ratio_to_ours`: medians of five rounds, ours and theirs in turn. Every
// answer is checked. With names only the workloads that begin so.
//
//   --quick       a tenth of the values, and three rounds
//   --count N     this number of values, instead of a million
//   --rounds N    this number of rounds, instead of five
//   --ours        without the others
//   --growth      how ours grow with values, operators and pipelines, with what memory they take

let arguments = Arguments(CommandLine.arguments.dropFirst())

func workloads(_ count: Int) -> [Workload] {
  let many = max(count / 10, 1)
  // NB: fewer timers: what `VirtualScheduler` takes for one grows with how many wait.
  return [w1(count), w2(count), w3(count)] + w4(count) + w5(count) + w7(many) + [w8(many / 10), a1(many / 2), a2(many)]
    + compiling()
}

if arguments.isGrowth {
  await growth(arguments)
} else {
  print("workload\tpeer\tns_per_value\tratio_to_ours")
  if arguments.isWanted("W7"), !arguments.isOurs { printMemory(arguments.isQuick ? 10_000 : 100_000) }
  for workload in workloads(arguments.count) where arguments.isWanted(workload.name) {
    let workload = arguments.isOurs ? workload.ours : workload
    await workload.measure(rounds: arguments.rounds)
  }
}
