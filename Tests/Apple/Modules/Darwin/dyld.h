// mach-o/dyld.h
int _NSGetExecutablePath(char *buf, unsigned int *bufsize);
