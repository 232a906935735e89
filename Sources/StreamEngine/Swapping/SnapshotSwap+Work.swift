internal import StreamCore

// The work of the new version.
extension SnapshotSwap {
  mutating func start(_ place: Int, asking demand: Demand) {
    starts.append(Self.work(.start, place))
    if demand > .none { requests.append(Self.work(.demand, place, demand)) }
  }

  /// Sends additional demand to a stage that continues.
  mutating func ask(_ place: Int, for demand: Demand) {
    let entry = stages[place]
    if let downstream = entry.downstream {
      requests.append(Self.work(.request, downstream, number: entry.port, demand))
    } else {
      requests.append(Self.work(.demand, place, demand))
    }
  }

  mutating func end(_ place: Int) { endings.append(Self.work(.finish, place)) }

  static func work(
    _ kind: Work.Kind, _ stage: Int, number: Int = 0, _ demand: Demand = .none
  ) -> SavedExecution.SavedWork {
    SavedExecution.SavedWork(
      kind: kind, stage: stage, number: number, upstream: 0, demand: demand, value: .null, failure: nil)
  }

  /// Returns the work of the stages that continue, with the work that precedes it on top.
  func work() -> [SavedExecution.SavedWork] {
    let known = snapshot.work.compactMap { item -> SavedExecution.SavedWork? in
      guard let place = places[item.stage] ?? (item.kind.isSaid ? heirs[item.stage] : nil) else { return nil }
      var item = item
      if item.kind == .subscribe {
        guard let upstream = upstream(item.upstream, ofOld: old.nodes[item.stage]) else { return nil }
        item.upstream = upstream
      }
      item.stage = place
      return item
    }
    return known + (starts + requests + endings).reversed()
  }
}
