// Counts instructions by single steps, where neither `perf stat` nor callgrind works: virtual machines without counters.
//
//   single_step SYMBOLS ADDRESS SKIP CALLS PATH COMMAND…
//
// Runs a command up to a function's address (as linked), lets the thread that comes there go on step by step, and counts
// what it executes between one call of the function and the next: SKIP calls are passed over, CALLS are counted. SYMBOLS
// is a file of `ADDRESS NAME` lines in the order of addresses. Prints instructions a call, in all and by function; the
// addresses of the first call that is counted go to PATH. Linux, x86-64; other threads stand still meanwhile.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

struct symbol {
  unsigned long address;
  char *name;
  unsigned long count;
};

static struct symbol *symbols;
static size_t symbol_count;

static void die(const char *message) {
  perror(message);
  exit(1);
}

static void read_symbols(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) die(path);
  char *line = NULL;
  size_t room = 0, capacity = 0;
  for (ssize_t length; (length = getline(&line, &room, file)) > 0;) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    char *name;
    unsigned long address = strtoul(line, &name, 16);
    if (symbol_count == capacity) {
      capacity = capacity ? 2 * capacity : 4096;
      symbols = realloc(symbols, capacity * sizeof *symbols);
      if (!symbols) die("realloc");
    }
    symbols[symbol_count++] = (struct symbol){address, strdup(name + strspn(name, " ")), 0};
  }
  free(line);
  fclose(file);
}

// The function that has an address, or NULL for one of a shared library.
static struct symbol *function_at(unsigned long address) {
  const unsigned long longest = 1 << 20;
  if (!symbol_count || address >= symbols[symbol_count - 1].address + longest) return NULL;
  size_t low = 0, high = symbol_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (symbols[middle].address <= address) low = middle + 1; else high = middle;
  }
  return low ? &symbols[low - 1] : NULL;
}

static int by_count(const void *a, const void *b) {
  unsigned long x = ((const struct symbol *)a)->count, y = ((const struct symbol *)b)->count;
  return x < y ? 1 : x > y ? -1 : 0;
}

static unsigned long load_address(pid_t process) {
  char path[64], line[4096];
  snprintf(path, sizeof path, "/proc/%d/maps", process);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(line, sizeof line, file)) die(path);
  fclose(file);
  unsigned long base = strtoul(line, NULL, 16);
  // What is linked for a fixed place is loaded there.
  return base > 0x10000000 ? base : 0;
}

// Lets the process go on until a thread comes to the address, which it gives; -1 where it ends before.
static pid_t run_to(pid_t process, unsigned long address) {
  unsigned long word = ptrace(PTRACE_PEEKTEXT, process, address, 0);
  ptrace(PTRACE_POKETEXT, process, address, (word & ~0xfful) | 0xcc);
  ptrace(PTRACE_CONT, process, 0, 0);
  for (;;) {
    int status;
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0) return -1;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (thread == process) return -1;
      continue;
    }
    int signal = WSTOPSIG(status);
    if (signal == SIGTRAP && status >> 16 == 0) {
      struct user_regs_struct registers;
      ptrace(PTRACE_GETREGS, thread, 0, &registers);
      if (registers.rip == address + 1) {
        registers.rip = address;
        ptrace(PTRACE_SETREGS, thread, 0, &registers);
        ptrace(PTRACE_POKETEXT, thread, address, word);
        return thread;
      }
    }
    ptrace(PTRACE_CONT, thread, 0, signal == SIGTRAP || signal == SIGSTOP ? 0 : signal);
  }
}

int main(int count, char **arguments) {
  if (count < 7) {
    fprintf(stderr, "usage: single_step SYMBOLS ADDRESS SKIP CALLS PATH COMMAND…\n");
    return 2;
  }
  read_symbols(arguments[1]);
  unsigned long target = strtoul(arguments[2], NULL, 16);
  long skipped = atol(arguments[3]), wanted = atol(arguments[4]), calls = 0;
  FILE *path = fopen(arguments[5], "w");
  if (!path) die(arguments[5]);
  pid_t process = fork();
  if (process == 0) {
    personality(ADDR_NO_RANDOMIZE);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execvp(arguments[6], arguments + 6);
    die(arguments[6]);
  }
  int status;
  waitpid(process, &status, 0);
  ptrace(PTRACE_SETOPTIONS, process, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  unsigned long base = load_address(process);
  pid_t thread = run_to(process, base + target);
  if (thread < 0) {
    fprintf(stderr, "single_step: the command ended before it came to the function\n");
    return 1;
  }
  unsigned long total = 0, outside = 0;
  for (;;) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, 0, &registers)) die("the command ended before so many calls");
    unsigned long address = registers.rip - base;
    if (address == target && skipped-- <= 0 && calls++ == wanted) break;
    if (calls > 0) {
      struct symbol *function = function_at(address);
      total++;
      if (function) function->count++; else outside++;
      if (calls == 1) fprintf(path, "%lx %s\n", address, function ? function->name : "?");
    }
    ptrace(PTRACE_SINGLESTEP, thread, 0, 0);
    waitpid(thread, &status, __WALL);
  }
  fclose(path);
  printf("%8.1f  instructions a call, %.1f of them in shared libraries\n", (double)total / wanted,
         (double)outside / wanted);
  qsort(symbols, symbol_count, sizeof *symbols, by_count);
  for (size_t index = 0; index < symbol_count && index < 40 && symbols[index].count; index++)
    printf("%8.1f  %s\n", (double)symbols[index].count / wanted, symbols[index].name);
  kill(process, SIGKILL);
  return 0;
}
