// The part of the C library of Apple's platforms that the sources use: types, signatures and values as in the headers
// of the SDK. Nothing is linked with it.
// The compiler compares what has the same tag in several modules, Linux's C library included, so these have other tags
// in C, and their own names in Swift.
#define __as(name) __attribute__((swift_name(#name)))

// Functions that tvOS and watchOS do not have.
#ifdef APPLE_TV
#define __mac_only __attribute__((unavailable("not on tvOS and watchOS")))
#else
#define __mac_only
#endif

#define __no_async(message) __attribute__((swift_attr("@_unavailableFromAsync(message: \"" message "\")")))

// stddef.h, sys/types.h
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef unsigned int uint32_t;
typedef int dev_t;
typedef unsigned int gid_t;
typedef unsigned long long ino_t;
typedef unsigned short mode_t;
typedef unsigned short nlink_t;
typedef long long off_t;
typedef int pid_t;
typedef unsigned int uid_t;

// errno.h; `errno` is a macro, which the overlay wraps.
int *__error(void);
#define EPERM 1
#define ENOENT 2
#define EBADF 9
#define ESRCH 3
#define EINTR 4
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOSPC 28
#define EROFS 30
#define EMLINK 31
#define EPIPE 32
#define ERANGE 34
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 36
#define ENOTSUP 45
#define EADDRINUSE 48
#define ENOBUFS 55
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOSYS 78
#define EBADMSG 94

// limits.h
#define NAME_MAX 255
#define PATH_MAX 1024

// math.h
double atan2(double, double);
double exp(double);
double log(double);
double log10(double);
double sin(double);
double cos(double);
double tan(double);
double asin(double);
double acos(double);
double atan(double);
double pow(double, double);
double log2(double);
double round(double);

// stdlib.h
void free(void *);
char *getenv(const char *);
void *malloc(size_t size);
char *realpath(const char *__restrict, char *__restrict);
void exit(int) __attribute__((noreturn));

// stdio.h
typedef struct __sFILE FILE;
int remove(const char *);
int rename(const char *old, const char *new);
int vsnprintf(char *__restrict str, size_t size, const char *__restrict format, __builtin_va_list);

// string.h
void *memchr(const void *s, int c, size_t n);
int memcmp(const void *s1, const void *s2, size_t n);
void *memset(void *b, int c, size_t len);
char *strdup(const char *s1);
char *strerror(int errnum);
char *strsignal(int sig);

// time.h
typedef long time_t;
struct __as(timespec) apple_timespec {
  time_t tv_sec;
  long tv_nsec;
};
typedef enum {
  _CLOCK_REALTIME __as(CLOCK_REALTIME) = 0,
  _CLOCK_MONOTONIC __as(CLOCK_MONOTONIC) = 6,
  _CLOCK_THREAD_CPUTIME_ID __as(CLOCK_THREAD_CPUTIME_ID) = 16,
} clockid_t;
int clock_gettime(clockid_t __clock_id, struct apple_timespec *__tp);
time_t time(time_t *);

// fcntl.h; the overlay wraps `open`, `openat` and `fcntl`, which have a variable number of arguments.
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_ACCMODE 0x0003
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_NOCTTY 0x00020000
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define F_DUPFD 0
#define F_DUPFD_CLOEXEC 67
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define LOCK_EX 0x02
#define LOCK_NB 0x04
int flock(int, int);

// unistd.h
#define SEEK_SET 0
#define X_OK (1 << 0)
#define W_OK (1 << 1)
#define _SC_PAGESIZE 29
#define _SC_NPROCESSORS_ONLN 58
void _exit(int) __attribute__((noreturn));
int access(const char *, int);
unsigned int alarm(unsigned int);
int close(int);
int fchown(int, uid_t, gid_t);
int fsync(int);
int ftruncate(int, off_t);
pid_t getpid(void);
int isatty(int);
int link(const char *, const char *);
off_t lseek(int, off_t, int);
int pipe(int[2]);
char *mkdtemp(char *);
ssize_t pread(int d, void *buf, size_t nbyte, off_t offset);
ssize_t read(int, void *, size_t);
ssize_t readlink(const char *__restrict, char *__restrict, size_t);
unsigned int sleep(unsigned int);
void sync(void);
int rmdir(const char *);
long sysconf(int);
int unlink(const char *);
ssize_t write(int fd, const void *buf, size_t nbyte);

// sys/stat.h
struct __as(stat) apple_stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct apple_timespec st_atimespec;
  struct apple_timespec st_mtimespec;
  struct apple_timespec st_ctimespec;
  struct apple_timespec st_birthtimespec;
  off_t st_size;
  long long st_blocks;
  int st_blksize;
  unsigned int st_flags;
  unsigned int st_gen;
  int st_lspare;
  long long st_qspare[2];
};
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
int fstat(int, struct apple_stat *);
int lstat(const char *, struct apple_stat *);
int mkdir(const char *, mode_t);
int stat(const char *, struct apple_stat *);

// sys/statvfs.h
struct __as(statvfs) apple_statvfs {
  unsigned long f_bsize;
  unsigned long f_frsize;
  unsigned int f_blocks;
  unsigned int f_bfree;
  unsigned int f_bavail;
  unsigned int f_files;
  unsigned int f_ffree;
  unsigned int f_favail;
  unsigned long f_fsid;
  unsigned long f_flag;
  unsigned long f_namemax;
};
int statvfs(const char *, struct apple_statvfs *);

// dirent.h
struct __as(dirent) apple_dirent {
  unsigned long long d_ino;
  unsigned long long d_seekoff;
  unsigned short d_reclen;
  unsigned short d_namlen;
  unsigned char d_type;
  char d_name[1024];
};
struct apple_dir {
  int __dd_fd;
};
typedef struct apple_dir DIR;
int closedir(DIR *);
DIR *opendir(const char *);
struct apple_dirent *readdir(DIR *);

// sys/mman.h; the overlay has MAP_FAILED.
#define PROT_NONE 0x00
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_PRIVATE 0x0002
#define MAP_ANON 0x1000
void *mmap(void *, size_t, int, int, int, off_t);
int mprotect(void *, size_t, int);
int munmap(void *, size_t);

// signal.h; the overlay has SIG_DFL and SIG_IGN.
#define SIGHUP 1
#define SIGINT 2
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTOP 17
#define SIGTSTP 18
#define SIGCONT 19
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
#define SA_ONSTACK 0x0001
#define SA_SIGINFO 0x0040
#define SS_DISABLE 0x0004
typedef unsigned int sigset_t;
typedef void (*sig_t)(int);
union __as(sigval) apple_sigval {
  int sival_int;
  void *sival_ptr;
};
typedef struct __siginfo {
  int si_signo;
  int si_errno;
  int si_code;
  pid_t si_pid;
  uid_t si_uid;
  int si_status;
  void *si_addr;
  union apple_sigval si_value;
  long si_band;
  unsigned long __pad[7];
} siginfo_t;
union __sigaction_u {
  void (*__sa_handler)(int);
  void (*__sa_sigaction)(int, struct __siginfo *, void *);
};
struct __as(sigaction) apple_sigaction {
  union __sigaction_u __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};
struct __darwin_sigaltstack {
  void *ss_sp;
  size_t ss_size;
  int ss_flags;
};
typedef struct __darwin_sigaltstack stack_t;
int kill(pid_t, int);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
int raise(int);
int sigaction(int, const struct apple_sigaction *__restrict, struct apple_sigaction *__restrict);
int sigaddset(sigset_t *, int);
__mac_only int sigaltstack(const stack_t *__restrict, stack_t *__restrict);
int sigdelset(sigset_t *, int);
int sigemptyset(sigset_t *);
int sigfillset(sigset_t *);
int sigprocmask(int, const sigset_t *__restrict, sigset_t *__restrict);
void (*signal(int, void (*)(int)))(int);

// sys/wait.h, spawn.h
#define POSIX_SPAWN_SETSIGMASK 0x0008
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
__mac_only int posix_spawn(
    pid_t *__restrict, const char *__restrict, const posix_spawn_file_actions_t *, const posix_spawnattr_t *__restrict,
    char *const __argv[__restrict], char *const __envp[__restrict]);
__mac_only int posix_spawnp(
    pid_t *__restrict, const char *__restrict, const posix_spawn_file_actions_t *, const posix_spawnattr_t *__restrict,
    char *const __argv[], char *const __envp[]);
__mac_only int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int);
__mac_only int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *);
__mac_only int posix_spawn_file_actions_init(posix_spawn_file_actions_t *);
__mac_only int posix_spawnattr_setpgroup(posix_spawnattr_t *, pid_t);
__mac_only int posix_spawnattr_setsigdefault(posix_spawnattr_t *__restrict, const sigset_t *__restrict);
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
__mac_only int posix_spawnattr_destroy(posix_spawnattr_t *);
__mac_only int posix_spawnattr_init(posix_spawnattr_t *);
__mac_only int posix_spawnattr_setflags(posix_spawnattr_t *, short);
__mac_only int posix_spawnattr_setsigmask(posix_spawnattr_t *__restrict, const sigset_t *__restrict);
pid_t waitpid(pid_t, int *, int);
__mac_only int execv(const char *, char *const *);
__mac_only int execvp(const char *, char *const *);

// pthread.h
struct _opaque_pthread_attr_t {
  long __sig;
  char __opaque[56];
};
struct _opaque_pthread_cond_t {
  long __sig;
  char __opaque[40];
};
struct _opaque_pthread_condattr_t {
  long __sig;
  char __opaque[8];
};
struct _opaque_pthread_mutex_t {
  long __sig;
  char __opaque[56];
};
struct _opaque_pthread_mutexattr_t {
  long __sig;
  char __opaque[8];
};
struct _opaque_pthread_t {
  long __sig;
  void *__cleanup_stack;
  char __opaque[8176];
};
typedef struct _opaque_pthread_attr_t pthread_attr_t;
typedef struct _opaque_pthread_cond_t pthread_cond_t;
typedef struct _opaque_pthread_condattr_t pthread_condattr_t;
typedef unsigned long pthread_key_t;
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
typedef struct _opaque_pthread_t *pthread_t;
_Pragma("clang assume_nonnull begin")
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_setstack(pthread_attr_t *, void *, size_t);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_init(pthread_cond_t *__restrict, const pthread_condattr_t *_Nullable __restrict);
__no_async("Use an asynchronous wait instead of a synchronous wait")
int pthread_cond_wait(pthread_cond_t *__restrict, pthread_mutex_t *__restrict);
int pthread_create(
    pthread_t _Nullable *_Nonnull __restrict, const pthread_attr_t *_Nullable __restrict,
    void *_Nullable (*_Nonnull)(void *_Nullable), void *_Nullable __restrict);
void *pthread_get_stackaddr_np(pthread_t);
size_t pthread_get_stacksize_np(pthread_t);
void *_Nullable pthread_getspecific(pthread_key_t);
__no_async("Use an asynchronous wait instead of a synchronous wait")
int pthread_join(pthread_t, void *_Nullable *_Nullable);
int pthread_key_create(pthread_key_t *, void (*_Nullable)(void *));
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_init(pthread_mutex_t *__restrict, const pthread_mutexattr_t *_Nullable __restrict);
__no_async("Use OSAllocatedUnfairLock's withLock or NSLock for async-safe scoped locking")
int pthread_mutex_lock(pthread_mutex_t *);
__no_async("Use OSAllocatedUnfairLock's withLock or NSLock for async-safe scoped locking")
int pthread_mutex_unlock(pthread_mutex_t *);
pthread_t pthread_self(void);
int pthread_setspecific(pthread_key_t, const void *_Nullable);
_Pragma("clang assume_nonnull end")

// poll.h
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020
typedef unsigned int nfds_t;
struct __as(pollfd) apple_pollfd {
  int fd;
  short events;
  short revents;
};
int poll(struct apple_pollfd *, nfds_t, int);

// termios.h
#define ECHO 0x00000008
#define VMIN 16
#define VTIME 17
#define TCSAFLUSH 2
typedef unsigned char cc_t;
typedef unsigned long speed_t;
typedef unsigned long tcflag_t;
struct __as(termios) apple_termios {
  tcflag_t c_iflag;
  tcflag_t c_oflag;
  tcflag_t c_cflag;
  tcflag_t c_lflag;
  cc_t c_cc[20];
  speed_t c_ispeed;
  speed_t c_ospeed;
};
int tcgetattr(int, struct apple_termios *);
int tcsetattr(int, int, const struct apple_termios *);

// sys/resource.h
#define RLIMIT_STACK 3
#define RLIMIT_NOFILE 8
typedef unsigned long long rlim_t;
struct __as(rlimit) apple_rlimit {
  rlim_t rlim_cur;
  rlim_t rlim_max;
};
int getrlimit(int, struct apple_rlimit *);
int setrlimit(int, const struct apple_rlimit *);

// sys/socket.h, sys/un.h, netinet/in.h, netinet/tcp.h
#define AF_UNSPEC 0
#define AF_UNIX 1
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_ERROR 0x1007
#define SO_NOSIGPIPE 0x1022
#define SHUT_WR 1
#define IPPROTO_TCP 6
#define TCP_NODELAY 0x01
typedef unsigned char sa_family_t;
typedef unsigned int socklen_t;
struct __as(sockaddr) apple_sockaddr {
  unsigned char sa_len;
  sa_family_t sa_family;
  char sa_data[14];
};
struct __as(sockaddr_storage) apple_sockaddr_storage {
  unsigned char ss_len;
  sa_family_t ss_family;
  char __ss_pad1[6];
  long long __ss_align;
  char __ss_pad2[112];
};
struct __as(sockaddr_un) apple_sockaddr_un {
  unsigned char sun_len;
  sa_family_t sun_family;
  char sun_path[104];
};
int accept(int, struct apple_sockaddr *__restrict, socklen_t *__restrict);
int bind(int, const struct apple_sockaddr *, socklen_t);
int connect(int, const struct apple_sockaddr *, socklen_t);
int getsockname(int, struct apple_sockaddr *__restrict, socklen_t *__restrict);
int getsockopt(int, int, int, void *__restrict, socklen_t *__restrict);
int listen(int, int);
ssize_t recv(int, void *, size_t, int);
ssize_t send(int, const void *, size_t, int);
int setsockopt(int, int, int, const void *, socklen_t);
int shutdown(int, int);
int socket(int, int, int);

// netdb.h
#define AI_PASSIVE 0x00000001
#define AI_NUMERICHOST 0x00000004
#define NI_NUMERICHOST 0x00000002
struct __as(addrinfo) apple_addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  char *ai_canonname;
  struct apple_sockaddr *ai_addr;
  struct apple_addrinfo *ai_next;
};
void freeaddrinfo(struct apple_addrinfo *);
int getaddrinfo(
    const char *__restrict, const char *__restrict, const struct apple_addrinfo *__restrict, struct apple_addrinfo **__restrict);
int getnameinfo(
    const struct apple_sockaddr *__restrict, socklen_t, char *__restrict, socklen_t, char *__restrict, socklen_t, int);

// sys/xattr.h, copyfile.h
#define COPYFILE_ACL (1 << 0)
#define COPYFILE_XATTR (1 << 2)
typedef struct _copyfile_state *copyfile_state_t;
typedef uint32_t copyfile_flags_t;
int fcopyfile(int from_fd, int to_fd, copyfile_state_t, copyfile_flags_t flags);
ssize_t fgetxattr(int fd, const char *name, void *value, size_t size, uint32_t position, int options);
int fsetxattr(int fd, const char *name, const void *value, size_t size, uint32_t position, int options);

// mach/mach.h
#define KERN_SUCCESS 0
#define MACH_TASK_BASIC_INFO 20
typedef int integer_t;
typedef unsigned int natural_t;
typedef int kern_return_t;
typedef natural_t mach_msg_type_number_t;
typedef natural_t mach_port_name_t;
typedef unsigned int mach_port_t;
typedef unsigned long long mach_vm_size_t;
typedef int policy_t;
typedef natural_t task_flavor_t;
typedef integer_t *task_info_t;
typedef mach_port_t task_name_t;
struct time_value {
  integer_t seconds;
  integer_t microseconds;
};
typedef struct time_value time_value_t;
#pragma pack(push, 4)
struct mach_task_basic_info {
  mach_vm_size_t virtual_size;
  mach_vm_size_t resident_size;
  mach_vm_size_t resident_size_max;
  time_value_t user_time;
  time_value_t system_time;
  policy_t policy;
  integer_t suspend_count;
};
#pragma pack(pop)
kern_return_t task_info(
    task_name_t target_task, task_flavor_t flavor, task_info_t task_info_out, mach_msg_type_number_t *task_info_outCnt);
mach_port_name_t task_self_trap(void);

// glob.h, fnmatch.h
struct __as(glob_t) apple_glob {
  size_t gl_pathc;
  int gl_matchc;
  size_t gl_offs;
  int gl_flags;
  char **gl_pathv;
};
#define GLOB_NOSORT 0x0020
int glob(const char *, int, int (*)(const char *, int), struct apple_glob *);
void globfree(struct apple_glob *);
#define FNM_PATHNAME 0x02
#define FNM_PERIOD 0x04
int fnmatch(const char *, const char *, int);

// Waiting for processes, sockets and terminals.
#define SEEK_CUR 1
#define ECONNREFUSED 61
#define MSG_DONTWAIT 0x80
#define WNOHANG 0x00000001
#define WEXITED 0x00000004
#define WNOWAIT 0x00000020
#define SIGCHLD 20
typedef unsigned int id_t;
#define P_PID 1
int waitid(int, id_t, siginfo_t *, int);
#define ICANON 0x00000100
#define TCSANOW 0
