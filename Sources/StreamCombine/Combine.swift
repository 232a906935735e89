// Re-exports Combine if it is available, and OpenCombine otherwise.
#if canImport(Combine)
@_exported public import Combine
#elseif OpenCombine
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
#else
#error("StreamCombine needs the trait OpenCombine here: .package(path or url, traits: [\"OpenCombine\"])")
#endif
