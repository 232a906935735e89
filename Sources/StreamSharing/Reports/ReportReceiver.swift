/// Receives reports about the versions that run, for example to send them to a hub.
///
/// Reports are given one at a time, in order. A receiver that throws, or does not return, has no effect on the streams;
/// at most 100 reports wait, then the oldest are dropped.
public protocol ReportReceiver: Sendable {
  func receive(_ report: StreamReport) async throws
}

/// Gives reports to a receiver, in a task of its own.
final class ReportQueue: Sendable {
  private let mail: AsyncStream<StreamReport>.Continuation
  private let task: Task<Void, Never>

  init(_ receiver: any ReportReceiver) {
    let (reports, mail) = AsyncStream.makeStream(of: StreamReport.self, bufferingPolicy: .bufferingNewest(100))
    self.mail = mail
    task = Task {
      for await report in reports { try? await receiver.receive(report) }
    }
  }

  deinit {
    mail.finish()
    task.cancel()
  }

  func send(_ report: StreamReport) { mail.yield(report) }

  /// Takes no more reports, and waits until those that wait are sent, or the time is over.
  func finish(within time: Duration) async {
    mail.finish()
    await withTaskGroup { group in
      group.addTask { [task] in await task.value }
      group.addTask { try? await Task.sleep(for: time) }
      await group.next()
      task.cancel()
      group.cancelAll()
    }
  }
}
