// Combine, whose interface OpenCombine has. Queues themselves are schedulers.
@_exported import Dispatch
@_exported import OpenCombine
@_exported import OpenCombineDispatch
