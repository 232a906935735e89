import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Synchronization

/// The stream files that an app ships, as publishers.
struct AppStreams {
  /// The functions that the app provides.
  var services = HostServices()
  let scheduler: VirtualScheduler

  init(_ scheduler: VirtualScheduler) { self.scheduler = scheduler }

  func publisher<Output: Decodable>(
    _ path: String, of type: Output.Type = Output.self, inputs: [String: any StreamFeed] = [:]
  ) throws -> StreamPublisher<Output> {
    try LiveStream(
      ArticleFiles.load(path), inputs: inputs, services: services, options: CompileOptions(loader: ArticleFiles())
    )
    .publisher(of: type, scheduler: scheduler)
  }
}

extension VirtualScheduler {
  /// Advances time to a millisecond.
  func go(to milliseconds: Int) {
    schedule(after: .milliseconds(milliseconds)) {}
    run(through: .milliseconds(milliseconds)) { true }
  }

  /// Waits, at this millisecond, for what functions of the host answer.
  func wait(at milliseconds: Int, until isDone: () -> Bool) async {
    await wait(through: .milliseconds(milliseconds), until: isDone)
  }
}

/// A server in the hands of a test: each request waits until it is answered.
final class TestServer<Request: Sendable, Response: Sendable>: Sendable {
  private struct State {
    var requests: [(request: Request, answer: CheckedContinuation<Response, any Error>)] = []
    var count = 0
  }

  private let state = Mutex(State())
  private let time: VirtualScheduler

  /// - Parameter time: is notified of each request, so that code that waits for requests resumes.
  init(_ time: VirtualScheduler) { self.time = time }

  /// The function that the app calls.
  func answer(_ request: Request) async throws -> Response {
    try await withCheckedThrowingContinuation { answer in
      state.withLock { state in
        state.requests.append((request, answer))
        state.count += 1
      }
      time.schedule {}
    }
  }

  /// How many requests there have been.
  var count: Int { state.withLock(\.count) }

  /// The requests that wait, the oldest first.
  var waiting: [Request] { state.withLock { $0.requests.map(\.request) } }

  /// Answers the oldest request that waits.
  func answer(with result: Result<Response, any Error>) {
    let answer = state.withLock { state in state.requests.isEmpty ? nil : state.requests.removeFirst().answer }
    answer?.resume(with: result)
  }
}

/// No network.
enum NetworkFailure: String, Error, Codable {
  case offline
}
