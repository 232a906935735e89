extension Macro {
  private static let byName: [String: [Macro]] = Dictionary(grouping: all, by: \.name)

  /// Returns the macros of a name, if none of them takes this number of arguments in this form.
  static func mismatches(_ name: String, argumentCount: Int, isMember: Bool) -> [Macro]? {
    guard let known = byName[name],
      !known.contains(where: { $0.argumentCount == argumentCount && $0.isMember == isMember })
    else { return nil }
    return known
  }
}
