/// The language or format of an export.
public enum ExportTarget: String, Sendable, CaseIterable {
  /// Swift with Combine, or OpenCombine where Combine is not available.
  case swift
  /// A JavaScript module with RxJS 7.
  case rxjs
}
