#if defined(__linux__)
#include <stdint.h>
#include <sys/epoll.h>

/* C libraries differ in whether these are macros or members of an enumeration, which Swift tells apart. */
static const uint32_t CEpollReading = EPOLLIN;
static const uint32_t CEpollWriting = EPOLLOUT;
static const uint32_t CEpollFailing = EPOLLERR | EPOLLHUP;
static const int32_t CEpollCloseOnExec = EPOLL_CLOEXEC;
#endif
