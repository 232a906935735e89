extension CalendarZone {
  /// Returns help for the name of a time zone that does not exist.
  package static func help(for name: String) -> String {
    known(as: name).map { "write \($0)" } ?? "write a name such as Europe/Berlin, or an offset such as +02:00"
  }

  /// Returns the zone that is probably meant by the name of a city, by an abbreviation, or by an offset from GMT; nil if
  /// none is.
  private static func known(as name: String) -> String? {
    let plain = name.split(separator: " ").joined(separator: "_")
    if let zone = abbreviations[plain.lowercased()] { return zone }
    for prefix in ["UTC", "GMT"] where plain.uppercased().hasPrefix(prefix) {
      let sign = plain.dropFirst(prefix.count).first
      guard let hours = Int(plain.dropFirst(prefix.count + 1)), (0...14).contains(hours), sign == "+" || sign == "-"
      else { continue }
      return "\(sign == "+" ? "+" : "-")\(hours < 10 ? "0" : "")\(hours):00"
    }
    let parts = plain.split(separator: "/").map { part in
      part.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined(separator: "_")
    }
    let path = parts.joined(separator: "/")
    return ([path] + regions.map { "\($0)/\(path)" }).first { (try? CalendarZone($0)) != nil && $0 != name }
  }

  private static let regions = [
    "Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific", "America/Argentina",
  ]

  private static let abbreviations = [
    "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "pt": "America/Los_Angeles", "cst": "America/Chicago",
    "cdt": "America/Chicago", "edt": "America/New_York", "et": "America/New_York", "bst": "Europe/London",
    "cest": "Europe/Berlin", "ist": "Asia/Kolkata", "jst": "Asia/Tokyo", "aest": "Australia/Sydney",
  ]
}
