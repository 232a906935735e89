internal import StreamKit

/// What a stream is exported to.
public enum ExportTarget: String, Sendable, CaseIterable {
  /// Swift with Combine, or OpenCombine where Combine is not available.
  case swift
  /// A JavaScript module with RxJS 7.
  case rxjs
}
