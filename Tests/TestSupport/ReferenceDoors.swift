@_spi(Engine) import StreamCore

/// The commands and requests that the reference (`Tests/Reference/Model`) knows: each with the doors through which it
/// runs streams, or the reason why there are none.
package enum ReferenceDoors {
  /// The names under a member of the table: `commands` or `requests`, sorted.
  package static func names(of member: String) throws -> [String] {
    var reader = JSONReader()
    let table = try reader.read(Array(Fixture.read("\(Fixture.package)/Tests/Reference/Model/doors.json").utf8))
    guard case .map(let names)? = table.member(member) else { return [] }
    return names.keys.compactMap(\.text).sorted()
  }
}
