internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamSharing

/// `streamhub list`: lists the streams of a repository.
struct ListCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the streams of a repository with their versions.",
    discussion: """
      Examples:
        streamhub list
        streamhub list --repository https://example.org/repository --trust root.json
      """)

  @Option(help: "Output format: text, or json (an array).")
  var format = ReportFormat.text

  @OptionGroup var source: SourceOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) async throws -> Int32 {
    var reader = try await RepositoryReader(source, now: now)
    let streams = try await reader.client.streams()
    switch format {
    case .text:
      let rows = streams.map { stream in
        [
          stream.name.description, "version \(stream.stable.version)", PublicationText.time(stream.stable),
          stream.candidates.map { "version \($0.number): \(PublicationText.state($0.state))" }.joined(separator: "; "),
        ]
      }
      for line in PublicationText.table(rows) { console.output.appendLine(line) }
    case .json: console.output.appendJSON(.list(streams.map(\.json)))
    }
    return ExitCode.good
  }
}

/// `streamhub log N`: lists the versions of a stream.
struct LogCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Lists the versions of a stream, the newest first.")

  @Argument(help: "The name of the stream.")
  var name: String

  @Option(help: "Output format: text, or json (an array).")
  var format = ReportFormat.text

  @OptionGroup var source: SourceOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) async throws -> Int32 {
    let name = try StreamName(name)
    var reader = try await RepositoryReader(source, now: now)
    let stream = try await reader.client.stream(name)
    switch format {
    case .text:
      let rows = stream.versions.map { version in
        [
          String(version.number), PublicationText.time(version.publication), PublicationText.state(version.state),
          PublicationText.remarks(version.publication),
        ]
      }
      for line in PublicationText.table(rows) { console.output.appendLine(line) }
    case .json: console.output.appendJSON(.list(stream.versions.map(\.json)))
    }
    return ExitCode.good
  }
}

/// `streamhub show N`: prints what is published about a version.
struct ShowCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows a version of a stream: its state, its IDs, and the functions it requires.")

  @Argument(help: "The name of the stream.")
  var name: String

  @Option(help: ArgumentHelp("The version. Default: the stable one.", valueName: "number"))
  var version: Int?

  @Option(help: "Output format: text, or json.")
  var format = ReportFormat.text

  @OptionGroup var source: SourceOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) async throws -> Int32 {
    let name = try StreamName(name)
    var reader = try await RepositoryReader(source, now: now)
    let stream = try await reader.client.stream(name)
    let version = try stream.version(version ?? stream.stable.version)
    guard format == .text else {
      console.output.appendJSON(version.json)
      return ExitCode.good
    }
    let publication = version.publication
    var rows = [["name", name.description], ["version", String(version.number)]]
    for (title, text) in [
      ("state", PublicationText.state(version.state)), ("time", PublicationText.time(publication)),
      ("parameters", PublicationText.parameters(publication.parameters)), ("notes", publication.notes ?? ""),
      ("requires", publication.requires.joined(separator: ", ")), ("content", publication.content),
      ("behavior", publication.behavior ?? ""), ("file", version.target.path),
      ("bytes", String(version.target.length)),
    ] where !text.isEmpty {
      rows.append([title, text])
    }
    for line in PublicationText.table(rows) { console.output.appendLine(line) }
    return ExitCode.good
  }
}

/// `streamhub diff N 7 8`: compares two versions of a stream.
struct DiffCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Shows the semantic differences between two versions of a stream.",
    discussion: """
      The exit code is 0 without differences, 1 with differences, and 2 after an error, as with 'streamrun diff'.

      Examples:
        streamhub diff checkout/fraud 7 8
        streamhub diff checkout/fraud 7 8 --behavior
      """)

  @Argument(help: "The name of the stream.")
  var name: String

  @Argument(help: "The old version.")
  var old: Int

  @Argument(help: "The new version.")
  var new: Int

  @Option(help: "Output format: text, json, patch (RFC 6902) or merge-patch (RFC 7396).")
  var format = DiffFormat.text

  @OptionGroup var behavior: BehaviorOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var appearance: AppearanceOptions

  func validate() throws { try behavior.validate(format) }

  func perform(_ console: Console) async throws -> Int32 {
    let name = try StreamName(name)
    var reader = try await RepositoryReader(source, now: now)
    let stream = try await reader.client.stream(name)
    let texts = NamedTexts()
    var names: [String] = []
    var values: [[String: Value]] = []
    for number in [old, new] {
      names.append("\(name) version \(number)")
      let version = try stream.version(number)
      values.append(version.publication.parameters)
      texts[names[names.count - 1]] = try await reader.bytes(of: version.target)
    }
    let comparison = VersionComparison(names[0], names[1], texts, values[0], values[1], color: appearance.color)
    return try comparison.print(format, behavior: behavior, on: console) ? ExitCode.failed : ExitCode.good
  }
}

/// `streamhub pull N`: writes the file of a version.
struct PullCommand: HubCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull", abstract: "Reads the file of a stream, after checking that its publishers have signed it.",
    discussion: """
      Examples:
        streamhub pull checkout/fraud -o fraud.json
        streamhub pull checkout/fraud --version 7 | streamrun validate -
      """)

  @Argument(help: "The name of the stream.")
  var name: String

  @Option(help: ArgumentHelp("The version. Default: the stable one.", valueName: "number"))
  var version: Int?

  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the file to this path.", valueName: "path"))
  var output: String?

  @OptionGroup var source: SourceOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) async throws -> Int32 {
    let name = try StreamName(name)
    var reader = try await RepositoryReader(source, now: now)
    let stream = try await reader.client.stream(name)
    let version = try stream.version(version ?? stream.stable.version)
    let bytes = try await reader.bytes(of: version.target)
    if !version.publication.parameters.isEmpty {
      let values = PublicationText.parameters(version.publication.parameters)
      console.say("note: version \(version.number) is published with \(values)")
    }
    if let output {
      try FolderFiles.write(bytes, to: output, of: output)
    } else {
      console.output.bytes += bytes
    }
    return ExitCode.good
  }
}
