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

  /// Whether the name of a rotated file is that of an older one than another name: of two numbers, the greater one is;
  /// of two times, the earlier one.
  static func isOlder(_ first: String, than second: String, of name: String) -> Bool {
    guard let first = mark(of: first, name), let second = mark(of: second, name) else { return false }
    if let number = Int(first.dropFirst()), let other = Int(second.dropFirst()), max(number, other) < 10_000 {
      return number > other
    }
    return first < second
  }

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
