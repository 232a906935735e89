// The part of the C libraries of Android, musl and WASI that the product StreamKit uses: types, signatures and values
// as in the headers of Android's NDK (release 28), of musl 1.2 and of wasi-libc. Nothing is linked with it. One of
// ANDROID, MUSL and WASI is defined.
// The compiler compares what has the same tag in several modules, Linux's C library included, so these have other tags
// in C, and their own names in Swift.
#define __as(name) __attribute__((swift_name(#name)))

// stddef.h, sys/types.h
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;

// math.h
double atan2(double, double);

// stdio.h
int vsnprintf(char *__restrict, size_t, const char *__restrict, __builtin_va_list);

// string.h
void *memchr(const void *, int, size_t);

// fcntl.h; the overlay wraps `open`, which has a variable number of arguments.
#ifdef WASI
#define O_RDONLY (0x04000000)
#define O_CLOEXEC (0)
#else
#define O_RDONLY 00000000
#define O_CLOEXEC 02000000
#endif

// unistd.h
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);

// time.h
#ifdef WASI
// Two numbers of 64 and 32 bits. The clocks are macros for addresses, which Swift does not import.
struct __as(timespec) other_timespec {
  long long tv_sec;
  int tv_nsec;
};
#define TIME_UTC 1
int timespec_get(struct other_timespec *, int);
#else
typedef int clockid_t;
struct __as(timespec) other_timespec {
  long tv_sec;
  long tv_nsec;
};
#define CLOCK_REALTIME 0
int clock_gettime(clockid_t, struct other_timespec *);

// sys/resource.h
struct __as(rlimit) other_rlimit {
  unsigned long rlim_cur;
  unsigned long rlim_max;
};
#define RLIMIT_STACK 3
int getrlimit(int, struct other_rlimit *);

// pthread.h; not in WASI, where a program has one thread.
#ifdef ANDROID
typedef int pthread_key_t;
typedef long pthread_t;
typedef struct {
  int flags;
  void *stack_base;
  size_t stack_size;
  size_t guard_size;
  int sched_policy;
  int sched_priority;
  char __reserved[16];
} pthread_attr_t;
typedef struct {
  int __private[12];
} pthread_cond_t;
typedef struct {
  int __private[10];
} pthread_mutex_t;
typedef long pthread_condattr_t;
typedef long pthread_mutexattr_t;
#define __nonnull _Nonnull
#define __nullable _Nullable
#else
typedef unsigned pthread_key_t;
typedef struct __pthread *pthread_t;
typedef struct {
  union {
    int __i[14];
    unsigned long __s[7];
  } __u;
} pthread_attr_t;
typedef struct {
  union {
    int __i[12];
    void *__p[6];
  } __u;
} pthread_cond_t;
typedef struct {
  union {
    int __i[10];
    volatile void *volatile __p[5];
  } __u;
} pthread_mutex_t;
typedef struct {
  unsigned __attr;
} pthread_condattr_t;
typedef struct {
  unsigned __attr;
} pthread_mutexattr_t;
#define __nonnull
#define __nullable
#endif
int pthread_attr_destroy(pthread_attr_t *__nonnull);
int pthread_attr_init(pthread_attr_t *__nonnull);
int pthread_attr_setstacksize(pthread_attr_t *__nonnull, size_t);
int pthread_cond_broadcast(pthread_cond_t *__nonnull);
int pthread_cond_destroy(pthread_cond_t *__nonnull);
int pthread_cond_init(pthread_cond_t *__nonnull, const pthread_condattr_t *__nullable);
int pthread_cond_wait(pthread_cond_t *__nonnull, pthread_mutex_t *__nonnull);
int pthread_create(
    pthread_t *__nonnull, const pthread_attr_t *__nullable,
    void *__nullable (*__nonnull)(void *__nullable), void *__nullable);
void *__nullable pthread_getspecific(pthread_key_t);
int pthread_join(pthread_t, void *__nullable *__nullable);
int pthread_key_create(pthread_key_t *__nonnull, void (*__nullable)(void *__nullable));
int pthread_mutex_destroy(pthread_mutex_t *__nonnull);
int pthread_mutex_init(pthread_mutex_t *__nonnull, const pthread_mutexattr_t *__nullable);
int pthread_mutex_lock(pthread_mutex_t *__nonnull);
int pthread_mutex_unlock(pthread_mutex_t *__nonnull);
int pthread_setspecific(pthread_key_t, const void *__nullable);
#endif
