import TestSupport
import Testing

@testable import StreamCommands

/// Every command that runs streams is a door of the reference.
@Suite struct ReferenceDoorTests {
  @Test("The reference knows each command: its doors, or why it has none")
  func commands() throws {
    let names = Streamrun.subcommandNames.filter { $0 != "help" }.sorted()
    #expect(try ReferenceDoors.names(of: "commands") == names)
  }
}
