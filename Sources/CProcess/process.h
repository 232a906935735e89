// fork(2) and prctl(2), which Swift's view of the C library leaves out.
#include <unistd.h>
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

// Makes a copy of the process, with the calling thread alone. The copy ends when its parent does, where the system can.
static inline pid_t copy_process(void) {
  pid_t child = fork();
#ifdef __linux__
  if (child == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  return child;
}
