import StreamCombine
import StreamCore
import StreamEngine

// W8: each value waits a second of virtual time.

func w8(_ count: Int) -> Workload {
  let pipeline = StreamFile("w8").pipeline()
  return Workload(
    "W8", count: count,
    [
      Contender(Contender.ours) { count in
        let execution = Execution.started(pipeline)
        for place in 0..<count {
          while execution.next(sending: .int(Int64(place)), to: 0, at: StreamTime(nanoseconds: Int64(place))) != nil {}
        }
        execution.finish(0, at: StreamTime(nanoseconds: Int64(count)))
        execution.advance(to: StreamTime(nanoseconds: 10_000_000_000))
        return number(execution.drain())
      },
      Contender("OpenCombine") { count in
        var last = 0
        let scheduler = VirtualScheduler()
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.delay(for: .seconds(1), scheduler: scheduler).sink { last = $0 }
        for place in 0..<count { subject.send(place) }
        scheduler.run(through: VirtualInstant(nanoseconds: 10_000_000_000)) { true }
        token.cancel()
        return last
      },
    ])
}
