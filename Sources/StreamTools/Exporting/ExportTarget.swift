internal import StreamKit

/// What a stream is exported to.
public enum ExportTarget: String, Sendable, CaseIterable {
  /// Combine, or OpenCombine where there is none.
  case swift
  /// An ES module over RxJS 7.
  case rxjs
}
