import StreamKit

/// Rules that are downloaded as text. If they are broken, the built-in ones are used.
public struct DownloadedRules: Sendable {
  public let model: StreamModel
  /// The errors of the downloaded text with their lines and columns; nil if there are none.
  public let problem: String?

  public init(downloaded text: String, builtIn: StreamModel) {
    do {
      model = try StreamModel(checking: text, file: "rules.json")
      problem = nil
    } catch {
      model = builtIn
      problem = error.description
    }
  }
}
