#include "CMemory.h"

#ifdef __APPLE__
#include <malloc/malloc.h>

size_t allocated_bytes(void) { return mstats().bytes_used; }
#else
#include <malloc.h>

size_t allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#endif
