#include <stddef.h>

/// Bytes that are allocated at present.
size_t allocated_bytes(void);
