// Re-exports Combine if it is available, and OpenCombine otherwise.
#if canImport(Combine)
@_exported public import Combine
#else
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
#endif
