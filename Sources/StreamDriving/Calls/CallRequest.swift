internal import StreamCore
package import StreamKit

/// How a run answers the calls of its stream: by programs and by addresses.
package struct CallRequest: Equatable, Sendable {
  /// The command or the address that answers the calls of a function, by its name.
  package var answers: [NamedArgument] = []
  /// Lines of the header of each request to an address, by the name of the function.
  package var headers: [NamedArgument] = []
  /// The most calls of one function that are asked at the same time, 1 or more.
  package var limit = 64
  /// The longest wait for an answer, in seconds; nil for 30 seconds for an address, and no limit for a program.
  package var timeout: Double?

  package init() {}

  /// The longest wait for the answer of an address, in seconds, unless it is given.
  static let addressTimeout: Double = 30

  /// Whether a text is an address rather than a command.
  static func isAddress(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
  }

  /// The host of the stream: it has the functions that are answered.
  package var host: StreamHost {
    var host = StreamHost(functions: .only(Set(answers.map(\.name))), hooks: .any)
    host.functionAdvice = { name in
      "answer its calls with a program or an address: --call \(name)='COMMAND' or --call \(name)=https://…"
    }
    return host
  }

  /// Throws an error if the arguments contradict each other.
  func check() throws(Diagnostics) {
    var problems = Diagnostics()
    var names: Set<String> = []
    for answer in answers {
      if !names.insert(answer.name).inserted {
        problems.append(
          Diagnostic(
            .invalidArgument, "the function '\(answer.name)' is answered twice", help: "give a single --call for it"))
      }
      if !answer.text.utf8.contains(where: { $0 > 0x20 }) || answer.text.utf8.contains(0) {
        problems.append(
          Diagnostic(
            .invalidArgument, "--call \(answer.name) has no command", help: "write --call \(answer.name)='COMMAND'"))
      }
      if Self.isAddress(answer.text), answer.text.unicodeScalars.contains(where: { $0.value <= 0x20 }) {
        problems.append(
          Diagnostic(
            .invalidArgument, "the address of --call \(answer.name) contains a space", help: "write %20 for a space"))
      }
    }
    for header in headers { if let problem = problem(in: header) { problems.append(problem) } }
    try problems.throwErrors()
  }

  private func problem(in header: NamedArgument) -> Diagnostic? {
    let option = "--call-header \(header.name)"
    guard let answer = answers.first(where: { $0.name == header.name }) else {
      let help =
        nearestName(to: header.name, among: answers.map(\.name)).map { "did you mean '\($0)'?" }
        ?? "write --call \(header.name)=https://…"
      return Diagnostic(.invalidArgument, "\(option) has no --call with that name", help: help)
    }
    guard Self.isAddress(answer.text) else {
      return Diagnostic(
        .invalidArgument, "\(option) is for an address, but --call \(header.name) runs a program",
        help: "remove the option")
    }
    let isFile = header.text.hasPrefix("@") && header.text.utf8.count > 1
    let isLine = header.text.firstIndex(of: ":").map { $0 > header.text.startIndex } ?? false
    guard isFile || isLine, !header.text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" }) else {
      return Diagnostic(
        .invalidArgument, "\(option) is not a line of a header",
        help: "write \(option)='Name: value', or \(option)=@FILE for a file with such lines")
    }
    return nil
  }

  /// Throws an error for an answer to a function that the stream does not call.
  ///
  /// - Parameter names: The functions that it calls.
  func requireCalled(_ names: [String]) throws(Diagnostics) {
    var problems = Diagnostics()
    for answer in answers where !names.contains(answer.name) {
      problems.append(
        Diagnostic(
          .invalidArgument, "--call is for '\(answer.name)', which the stream never calls",
          notes: [names.isEmpty ? "it calls no function" : "it calls: \(names.listed)"],
          help: nearestName(to: answer.name, among: names).map { "did you mean '\($0)'?" } ?? "remove the option"))
    }
    try problems.throwErrors()
  }
}
