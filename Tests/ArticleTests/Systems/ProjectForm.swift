import Foundation
import StreamCombine
import StreamCore

/// The place where a project is stored.
enum ProjectBackend: String {
  case cospend, iHateMoney
}

/// The result of the form.
struct Project: Equatable {
  let name: String
  let password: String
  let backend: ProjectBackend
  let url: URL

  var value: Value {
    [
      "name": .string(name), "password": .string(password), "backend": .string(backend.rawValue),
      "url": .string(url.absoluteString),
    ]
  }
}

/// The network of the form.
struct NetworkService {
  static let iHateMoneyAddress = "https://ihatemoney.org"

  let world: World

  /// The status with which the project's server answers, -1 where it does not.
  func test(_ project: Project) -> AnyPublisher<Int, Never> {
    world.call("session.response", project.value)
      .map { response in
        guard case .map(let members) = response, case .int(let status)? = members["statusCode"] else { return -1 }
        return Int(status)
      }
      .replaceError(with: -1)
      .eraseToAnyPublisher()
  }
}

enum ValidationState: String {
  case inProgress, success, failure
}

/// The German article's form for a new project.
final class ProjectFormModel: ObservableObject {
  @Published var serverAddress = ""
  @Published var projectName = ""
  @Published var projectPassword = ""
  @Published var projectType = ProjectBackend.cospend

  private let network: NetworkService
  private let scheduler: VirtualScheduler

  init(_ network: NetworkService) {
    self.network = network
    scheduler = network.world.scheduler
  }

  var validatedAddress: AnyPublisher<(ProjectBackend, String?), Never> {
    combinedLatest($projectType, $serverAddress)
      .map { type, address in (type, type == .cospend ? address : NetworkService.iHateMoneyAddress) }
      .eraseToAnyPublisher()
  }

  var validatedInput: AnyPublisher<Project, Never> {
    combinedLatest(validatedAddress, $projectName, $projectPassword)
      .debounce(for: .seconds(1), scheduler: scheduler)
      .compactMap { server, name, password -> Project? in
        guard let address = server.1, address.isServerAddress, !name.isEmpty, !password.isEmpty else { return nil }
        return URL(string: address).map { url in
          Project(name: name.lowercased(), password: password, backend: server.0, url: url)
        }
      }
      .removeDuplicates()
      .eraseToAnyPublisher()
  }

  var validatedServer: AnyPublisher<Int, Never> {
    validatedInput
      .flatMap(maxPublishers: .unlimited) { [network] project in network.test(project) }
      .removeDuplicates()
      .receive(on: scheduler)
      .eraseToAnyPublisher()
  }

  var errorText: AnyPublisher<String, Never> {
    validatedServer
      .map { status in
        switch status {
        case 200: ""
        case -1: "No server answers there"
        case 401: "The name or the password is wrong"
        default: "The server says \(status)"
        }
      }
      .eraseToAnyPublisher()
  }

  var validationProgress: AnyPublisher<ValidationState, Never> {
    merged(
      validatedInput.map { _ in ValidationState.inProgress },
      validatedServer.map { status in status == 200 ? ValidationState.success : .failure })
  }
}

extension ProjectFormModel {
  /// The model with its fields in the hands of a script.
  static func make(in world: World) -> ProjectFormModel {
    let model = ProjectFormModel(NetworkService(world: world))
    world.keep(model)
    world.inputs["serverAddress"] = { [unowned model] in model.serverAddress = $0.text }
    world.inputs["projectName"] = { [unowned model] in model.projectName = $0.text }
    world.inputs["projectPassword"] = { [unowned model] in model.projectPassword = $0.text }
    world.inputs["projectType"] = { [unowned model] in
      model.projectType = ProjectBackend(rawValue: $0.text) ?? .cospend
    }
    return model
  }

  /// Its publishers, by the file that says the same.
  static let publishers: [(file: String, listen: @Sendable (World) -> Void)] = [
    (
      "validated-address",
      { world in
        world.listen(to: make(in: world).validatedAddress) { server in
          ["backend": .string(server.0.rawValue), "address": server.1.map(Value.string) ?? .null]
        }
      }
    ),
    ("validated-input", { world in world.listen(to: make(in: world).validatedInput, as: \.value) }),
    ("validated-server", { world in world.listen(to: make(in: world).validatedServer) { .int(Int64($0)) } }),
    ("error-text", { world in world.listen(to: make(in: world).errorText) { .string($0) } }),
    (
      "validation-progress",
      { world in world.listen(to: make(in: world).validationProgress) { .string($0.rawValue) } }
    ),
  ]
}

extension String {
  /// Whether it is the address of a server: http or https, a host, a port and a path if there are any.
  var isServerAddress: Bool {
    guard let scheme = ["https://", "http://"].first(where: hasPrefix) else { return false }
    let rest = dropFirst(scheme.count)
    let hostAndPort = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(hostAndPort.count)
    let parts = hostAndPort.split(separator: ":", omittingEmptySubsequences: false)
    guard let host = parts.first, !host.isEmpty, parts.count <= 2, host.consists(of: "-.") else { return false }
    if parts.count == 2, parts[1].isEmpty || !parts[1].allSatisfy(\.isASCIIDigit) { return false }
    return path.consists(of: "-._~/")
  }
}

extension StringProtocol {
  /// Whether it has letters and digits of ASCII and these signs, and nothing else.
  fileprivate func consists(of signs: String) -> Bool {
    allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || signs.contains($0) }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
