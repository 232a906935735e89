import StreamCombine
import StreamKit
import Testing

/// The German article's form, its logic in files: the app has the fields, the network and the texts that are shown.
final class ProjectScreen {
  struct Draft: Codable, Sendable, Equatable {
    var name: String
    var password: String
    var backend: Backend
    var url: String
  }

  struct Response: Codable, Sendable {
    var statusCode: Int?
  }

  enum Backend: String, Codable, Sendable {
    case cospend, iHateMoney
  }

  enum Progress: String, Codable, Sendable {
    case inProgress, success, failure
  }

  typealias Network = TestServer<Draft, Response>

  @StreamInput var serverAddress = ""
  @StreamInput var projectName = ""
  @StreamInput var projectPassword = ""
  @StreamInput var projectType = Backend.cospend

  private(set) var progress: Progress?
  private(set) var history: [Progress] = []
  private(set) var errorText = ""
  private var subscriptions: Set<AnyCancellable> = []

  init(_ streams: AppStreams, network: Network) throws {
    var streams = streams
    streams.services.function("session.response") { (draft: Draft) in try await network.answer(draft) }
    let inputs: [String: any StreamFeed] = [
      "serverAddress": $serverAddress, "projectName": $projectName, "projectPassword": $projectPassword,
      "projectType": $projectType,
    ]
    try streams.publisher("event-pipelines/validation-progress.json", of: Progress.self, inputs: inputs)
      .sink(onWeak: self) { screen, progress in
        screen.progress = progress
        screen.history.append(progress)
      }
      .store(in: &subscriptions)
    try streams.publisher("event-pipelines/error-text.json", of: String.self, inputs: inputs)
      .assign(to: \.errorText, onWeak: self)
      .store(in: &subscriptions)
  }
}

@Suite struct ProjectScreenTests {
  private let time: VirtualScheduler
  private let network: ProjectScreen.Network

  init() {
    time = VirtualScheduler()
    network = ProjectScreen.Network(time)
  }

  /// A form that has been filled in at the start.
  private func makeScreen() throws -> ProjectScreen {
    let screen = try ProjectScreen(AppStreams(time), network: network)
    time.go(to: 0)
    screen.serverAddress = "https://cloud.example.org"
    screen.projectName = "Trip"
    screen.projectPassword = "secret"
    return screen
  }

  /// Answers both requests: the article's publishers ask once for the progress and once for the text.
  private func answer(_ result: Result<ProjectScreen.Response, any Error>) {
    network.answer(with: result)
    network.answer(with: result)
  }

  @Test("A project that the server knows")
  func success() async throws {
    let screen = try makeScreen()
    time.go(to: 999)
    #expect(screen.progress == nil)
    #expect(network.count == 0)
    await time.wait(at: 1000) { network.count == 2 }
    #expect(screen.progress == .inProgress)
    let draft = ProjectScreen.Draft(
      name: "trip", password: "secret", backend: .cospend, url: "https://cloud.example.org")
    #expect(network.waiting == [draft, draft])
    time.go(to: 1350)
    answer(.success(ProjectScreen.Response(statusCode: 200)))
    await time.wait(at: 1350) { screen.progress == .success }
    #expect(screen.history == [.inProgress, .success])
    #expect(screen.errorText == "")
    #expect(time.now == .milliseconds(1350))
  }

  @Test("Errors are shown, and a corrected project succeeds")
  func failures() async throws {
    let screen = try makeScreen()
    var count = 0
    for (result, text) in [
      (.failure(NetworkFailure.offline), "No server answers there"),
      (.success(ProjectScreen.Response(statusCode: 401)), "The name or the password is wrong"),
      (.success(ProjectScreen.Response(statusCode: 503)), "The server says 503"),
      (.success(ProjectScreen.Response()), "No server answers there"),
      (.success(ProjectScreen.Response(statusCode: 200)), ""),
    ] as [(Result<ProjectScreen.Response, any Error>, String)] {
      count += 1
      screen.projectPassword = "secret \(count)"
      await time.wait(at: count * 2000) { network.count == count * 2 }
      #expect(screen.progress == .inProgress)
      answer(result)
      await time.wait(at: count * 2000) { screen.progress != .inProgress && screen.errorText == text }
    }
    #expect(
      screen.history == [
        .inProgress, .failure, .inProgress, .failure, .inProgress, .failure, .inProgress, .failure, .inProgress,
        .success,
      ])
  }

  @Test("Toggling the kind within the pause makes one request, for the final kind")
  func toggling() async throws {
    let screen = try makeScreen()
    for (moment, kind) in [(400, ProjectScreen.Backend.iHateMoney), (800, .cospend), (1200, .iHateMoney)] {
      time.go(to: moment)
      screen.projectType = kind
    }
    time.go(to: 2199)
    #expect(screen.progress == nil)
    await time.wait(at: 2200) { network.count == 2 }
    #expect(network.waiting.map(\.backend) == [.iHateMoney, .iHateMoney])
    #expect(network.waiting.map(\.url) == ["https://ihatemoney.org", "https://ihatemoney.org"])
  }
}
