/// The name of a stream in a repository, for example `checkout/fraud`.
///
/// Its stable file is the target `checkout/fraud.json`. Every version is a target of its own, for example
/// `checkout/fraud@8.json`.
public struct StreamName: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// Creates a name.
  ///
  /// - Parameter text: Names of letters, digits, `.`, `-` and `_`, not beginning with a period, separated by
  ///   single slashes; at most 180 bytes.
  /// - Throws: `unsafeName` for other texts.
  public init(_ text: String) throws(TrustError) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      !part.isEmpty && part.first != UInt8(ascii: ".") && part.allSatisfy(Self.isNameByte)
    }
    guard isName, text.utf8.count <= 180 else {
      throw TrustError(
        .unsafeName, text, "a name has letters, digits, '.', '-', '_', and single slashes, such as checkout/fraud")
    }
    description = text
  }

  /// Reads the path of a stable file; nil for other targets, those of versions among them.
  init?(path: String) {
    guard path.hasSuffix(".json"), let name = try? StreamName(String(path.dropLast(5))) else { return nil }
    self = name
  }

  /// The path of the target of the stable file.
  public var path: String { description + ".json" }

  /// The path of the target of a version.
  public func path(ofVersion version: Int) -> String { "\(description)@\(version).json" }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
