// epoll(7), which the module of the C library does not have.
#ifdef __linux__
#include <sys/epoll.h>
#endif
