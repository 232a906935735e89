internal import StreamFiles
internal import StreamKit

/// The names that programs give to rotated files: `a.log.1`, `a.log-20260131`, `a.log.2026-01-31`, `a-20260131.log`,
/// `a.log.old`, and the same with the ending of a compressed file.
enum RotatedFiles {
  /// The paths of the rotated files of a path that exist.
  static func paths(of path: String) -> [String] {
    let (directory, name) = (Path.directory(of: path), Path.name(of: path))
    let names = (try? Directory.names(in: directory)) ?? []
    return names.filter { isRotated($0, of: name) }.map { Path.join(directory, $0) }
  }

  static func isRotated(_ text: String, of name: String) -> Bool { mark(of: text, name) != nil }

  /// The rotated files of a path, older ones first: by their names where these are all numbers or all times of one form, and
  /// else by their last changes.
  ///
  /// NB: A writer may change a rotated file after its successor, and the clock of a file system moves in steps.
  static func olderFirst(_ files: [FoundFile], of path: String) -> [FoundFile] {
    let byTime = files.sorted { $1.stamp.isLater(than: $0.stamp) }
    let marks = byTime.map { mark(of: Path.name(of: $0.path), Path.name(of: path)) ?? "" }
    let numbers = marks.compactMap(number)
    if numbers.count == marks.count {
      let isAscending = hasAscendingNumbers(path)
      let ordered = zip(numbers, byTime).sorted { isAscending ? $0.0 < $1.0 : $0.0 > $1.0 }
      return ordered.map(\.1)
    }
    let forms = Set(marks.map { $0.map { $0.isNumber ? "0" : $0 } })
    guard forms.count == 1, forms.allSatisfy({ form in form.count { $0 == "0" } >= 6 }) else { return byTime }
    return zip(marks, byTime).sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Whether the newest file of a path has the greatest number. Most programs give it the least one.
  private static func hasAscendingNumbers(_ path: String) -> Bool {
    let name = Path.name(of: path)
    let numbered = paths(of: path).compactMap { path in
      mark(of: Path.name(of: path), name).flatMap(number).map { (number: $0, path: path) }
    }
    let ends = [numbered.min { $0.number < $1.number }, numbered.max { $0.number < $1.number }]
    let stamps = ends.compactMap { $0.flatMap { FileStamp($0.path) } }
    guard stamps.count == 2, stamps[1].isLater(than: stamps[0]) else { return false }
    return stamps[0].seconds(to: stamps[1]) > longestLateness
  }

  /// Seconds within which a writer changes a rotated file after its successor.
  private static let longestLateness = Double(FollowedFiles.patience) / 1e9

  /// The number of a rotated file, unless it is a time.
  private static func number(_ mark: Substring) -> Int? { Int(mark.dropFirst()).flatMap { $0 < 10_000 ? $0 : nil } }

  /// The part of a name that the rotation has added, without the ending of a compressed file; nil for other names.
  private static func mark(of text: String, _ name: String) -> Substring? {
    let plain = FileFormat.uncompressed(text)
    if plain == name { return plain == text ? nil : "" }
    if plain.hasPrefix(name), isMark(plain.dropFirst(name.count)) { return plain.dropFirst(name.count) }
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let (stem, ending) = (name[..<dot], name[dot...])
    guard plain.hasPrefix(stem), plain.hasSuffix(ending), plain.count > stem.count + ending.count else { return nil }
    let mark = plain.dropFirst(stem.count).dropLast(ending.count)
    return isMark(mark) ? mark : nil
  }

  /// Whether a part of a name is a separator with a number, a time or `old`.
  private static func isMark(_ text: Substring) -> Bool {
    guard let first = text.first, first == "." || first == "-" || first == "_", text.count > 1 else { return false }
    if text.dropFirst() == "old" { return true }
    return text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber || "-_.TZ".contains($0) }
      && text.contains { $0.isNumber }
  }
}
