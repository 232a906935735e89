public import StreamCore
internal import StreamKit

/// A stream file that is about to be published.
public struct Draft: Hashable, Sendable {
  public let name: StreamName
  public let bytes: [UInt8]
  /// The values of the file's parameters, by name, with which clients compile it. Default none.
  public var parameters: [String: Value] = [:]
  /// A remark for other publishers; nil for none.
  public var notes: String?
  /// The clients that take it; nil for all, which makes it the stable file.
  public var rollout: Rollout?
  /// The content ID of the file.
  public let content: String
  /// The ID of its behavior.
  public let behavior: String
  /// The names of functions and operators that clients have to provide.
  public let requires: [String]

  /// Reads a stream file.
  ///
  /// - Parameters:
  ///   - name: The name to publish it under.
  ///   - bytes: The file.
  ///   - file: The name of the file in errors; nil for the path of the target.
  ///   - notes: A remark for other publishers; nil for none.
  ///   - rollout: The clients that take it; nil for all.
  /// - Throws: The errors of the file.
  public init(
    _ name: StreamName, _ bytes: [UInt8], file: String? = nil, notes: String? = nil, rollout: Rollout? = nil
  ) throws(Diagnostics) {
    let document = try JSONDocument(reading: bytes, file: file ?? name.path)
    let model = try document.locating { value throws(Diagnostics) in try StreamModel(json: value) }
    self.name = name
    self.bytes = bytes
    self.notes = notes
    self.rollout = rollout
    content = try document.contentID()
    behavior = model.behaviorID
    requires = model.requires
  }
}
