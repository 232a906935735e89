internal import CLibrary

/// The process's environment.
package enum ProcessEnvironment {
  /// Returns an environment variable; nil if it is unset or empty.
  package static func variable(_ name: String) -> String? {
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }
}
