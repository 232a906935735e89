import Foundation
import TestSupport
import Testing

/// The arrows between the modules, as the imports of the files say them.
@Suite struct LayerTests {
  /// The modules in the order of Package.swift, from the bottom to the top.
  private static let modules: [String] = {
    let text = Fixture.read("\(Fixture.package)/Package.swift")
    return text.matches(of: /\.(?:target|systemLibrary|executableTarget)\(\s*name: "(\w+)"(?!, condition)/)
      .map { String($0.1) }.filter { $0 != "TestSupport" }
  }()

  @Test("The list of modules in Package.swift is whole")
  func list() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: "\(Fixture.package)/Sources")
    // Java and scripts.
    #expect(Set(folders).subtracting(["StreamFlink"]) == Set(Self.modules))
    #expect(Set(Self.modules).count == Self.modules.count)
  }

  @Test("A module imports only those above it in Package.swift", arguments: modules)
  func arrows(_ module: String) throws {
    let folder = "\(Fixture.package)/Sources/\(module)"
    let below = Set(Self.modules.drop { $0 != module })
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for file in files where file.hasSuffix(".swift") {
      let text = Fixture.read("\(folder)/\(file)")
      let imported = text.matches(of: /(?m)^(?:@\S+ )*(?:public |package |internal )?import (\w+)/).map { String($0.1) }
      let wrong = below.intersection(imported)
      #expect(wrong.isEmpty, "\(module)/\(file)")
    }
  }
}
