internal import StreamCore
internal import StreamFiles

/// The versions of files that git keeps.
///
/// Commits are shown as they are stored: references that replace objects have no effect.
struct GitHistory {
  private let folder: StudioFolder

  /// Maximum number of commits.
  private static let limit = 100

  init(_ folder: StudioFolder) { self.folder = folder }

  /// Whether `versions` answers.
  var isReadable: Bool { GitObjects.isInstalled && (try? repository) != nil }

  /// Why the repository of the folder is not read; nil if it is, or if there is none.
  var problem: String? {
    do throws(StudioProblem) {
      guard let repository = try GitRepository.find(holding: folder.root) else { return nil }
      _ = try GitObjects(repository)
      return nil
    } catch {
      return error.detail ?? error.title
    }
  }

  private var repository: GitRepository {
    get throws(StudioProblem) {
      guard let found = try GitRepository.find(holding: folder.root) else {
        throw .missing("there is no git repository")
      }
      return found
    }
  }

  /// The newest commits of `HEAD` that have changed a file.
  func versions(of path: String) async throws(StudioProblem) -> Value {
    let repository = try repository
    let place = try place(of: path, in: repository)
    guard let head = repository.head else { return ["versions": []] }
    let format = "--format=%x00%H%x00%aI%x00%an%x00%s"
    let output = try await read(["rev-list", "--max-count=\(Self.limit)", format, head, "--", place], repository)
    // Each commit begins with a line of its own, which repeats the hash.
    let parts = output.split(separator: 0, omittingEmptySubsequences: false).dropFirst().map {
      String(decoding: $0, as: UTF8.self)
    }
    return [
      "versions": .list(
        stride(from: 0, to: parts.count - 3, by: 4).map { start in
          [
            "rev": .string(parts[start]), "date": .string(parts[start + 1]), "author": .string(parts[start + 2]),
            "title": .string(String(parts[start + 3].prefix { $0 != "\n" })),
          ]
        })
    ]
  }

  /// The text of a file in a commit.
  func text(of path: String, in revision: String) async throws(StudioProblem) -> Value {
    let repository = try repository
    let place = try place(of: path, in: repository)
    // A revision is not an option.
    guard !revision.hasPrefix("-"), !revision.isEmpty, !revision.contains(":") else {
      throw .invalid("'\(revision)' is not a commit")
    }
    let output = try await read(["cat-file", "blob", "\(repository.resolved(revision)):\(place)"], repository)
    return ["text": .string(String(decoding: output, as: UTF8.self))]
  }

  /// The path of a file of the folder as the repository has it.
  private func place(of path: String, in repository: GitRepository) throws(StudioProblem) -> String {
    Path.dropFirst(repository.tree == "/" ? 1 : repository.tree.utf8.count + 1, of: try folder.place(of: path))
  }

  private func read(_ arguments: [String], _ repository: GitRepository) async throws(StudioProblem) -> [UInt8] {
    let result: Result<[UInt8]?, StudioProblem> = await Task.detached {
      Result { () throws(StudioProblem) in try GitObjects(repository).read(arguments) }
    }.value
    guard let output = try result.get() else { throw .missing("git has no such file or commit") }
    return output
  }
}
