// The part of Swift's overlay of the C library that the sources use.
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { -1 }
