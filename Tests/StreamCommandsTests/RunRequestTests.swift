import ArgumentParser
import StreamConsole
import Testing

@testable import StreamCommands
@testable import StreamDriving

/// Command lines that are read without the argument parser.
@Suite struct RunRequestTests {
  @Test(
    "A file alone is read as the argument parser reads it",
    arguments: ["stream.json", "a b", "Streams/é.json", "runs", "x=1", "0"])
  func fileAloneRead(file: String) throws {
    let command = try Streamrun.parseAsRoot([file])
    let run = try #require(command as? Run)
    #expect(RunRequest(plain: [file]) == run.options.request(run.stream.file))
    #expect(run.appearance.color == .auto)
  }

  @Test("The argument parser reads all other arguments")
  func argumentParserReads() {
    for name in Streamrun.subcommandNames { #expect(RunRequest(plain: [name]) == nil, "\(name)") }
    let others = [[], ["-"], [""], ["--help"], ["--version"], ["-h"], ["a.json", "b.json"], ["a.json", "--virtual"]]
    for arguments in others { #expect(RunRequest(plain: arguments) == nil, "\(arguments)") }
  }

  @Test("All subcommands have a name")
  func allSubcommandsName() {
    let names = Streamrun.subcommandNames
    #expect(names.contains("validate"))
    #expect(!names.contains(""))
    #expect(names.count == Streamrun.configuration.subcommands.count + 1)
  }
}
