/* What the ceiling and the load have in common: sockets on loopback, time, and giving up with a reason. */

#ifndef WIRE_H
#define WIRE_H

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A trigger asks a server to publish `count` frames to `room`; eight bytes, so that they never need framing. */
struct trigger {
    uint32_t room;
    uint32_t count;
};

static void give_up(const char *why) {
    fprintf(stderr, "%s: %s\n", why, strerror(errno));
    exit(1);
}

__attribute__((unused)) static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void raise_file_limit(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void without_delay(int fd) {
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void watch(int epoll, int fd, uint32_t events, void *what) {
    struct epoll_event event = {.events = events, .data.ptr = what};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0) give_up("epoll_ctl");
}

#endif
