// Combine itself where there is one, else OpenCombine: whoever imports this module has its publishers too.
#if canImport(Combine)
  @_exported public import Combine
#else
  @_exported public import OpenCombine
  @_exported public import OpenCombineDispatch
#endif
