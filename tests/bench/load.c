/* The load: many WebSocket subscribers in one process, every frame counted at every one of them.
 *
 *     load PORT CONTROL_PORT ROOMS CLIENTS PATH SUBPROTOCOL HELLO READY COUNTED [COMMANDS]
 *
 * ROOMS is a file with a room's name in each line, CLIENTS how many subscribers each has. A client says HELLO (%s: its
 * room) and is up with the first frame that begins with READY; frames that begin with COUNTED are counted, others are
 * read and left. CONTROL_PORT 0: there is none. Once all are up it prints {"ready": …} and reads orders:
 *
 *     run MS BURST              a room's next trigger leaves when all its subscribers have the frames of the last one
 *     command MS                the same, but a subscriber says the room's next command; the subscribers take turns.
 *                               COMMANDS is a file of them, see evening.py
 *     command MS EVERY          a room's next command is said no sooner than EVERY ms after the last one
 *     trace run … | command …   the same, and the answer has the instants of each trigger and of its last frame, in ns
 *     pong                      all subscribers say once that they are there, and half a second goes by
 *     quit
 *
 * Each is answered with a line of JSON: frames and publishes in the window, and the time from a trigger (or command)
 * to the last subscriber, as median and 99th percentile, in microseconds. One core; the server has another.
 */

#include "wire.h"

#define AT_ONCE 128
#define HEAD 64
#define MAX_TIMES 400000

enum state { CONNECTING, UPGRADING, WAITING, UP };

struct client {
    int fd;
    enum state state;
    uint32_t room;
    uint32_t have;
    uint64_t skip;
    unsigned char head[HEAD];
};

struct room {
    char name[40];
    uint32_t missing, version, busy;
    uint32_t turn;
    int64_t asked_at, next_at;
};

static struct {
    int port, control_port, clients_a_room;
    const char *path, *subprotocol, *hello, *ready, *counted;
} is;

static struct client *clients;
static struct room *rooms;
static uint32_t room_count, client_count, started, up, burst = 1, command_number;
static int epoll, control = -1;
static int64_t until_ns, every_ns;
static uint64_t frames, publishes, total_bytes;
static int64_t times[MAX_TIMES], asked_at[MAX_TIMES];
static uint32_t time_count, busy_rooms;
static int by_command, is_traced;
static struct trigger asked[4096];
static char *commands[1024];
static uint32_t command_count;
static uint32_t asked_count;

static void connect_next(void) {
    struct client *client = &clients[started];
    struct sockaddr_in address = loopback(is.port);
    /* 127.0.0.1 has too few ports for some of the scenarios: every 20,000 clients come from an address of their own. */
    struct sockaddr_in from = loopback(0);
    from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + started / 20000);
    client->room = started++ / is.clients_a_room;
    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (client->fd < 0) give_up("socket");
    int late = 1;
    struct linger none = {.l_onoff = 1}; /* no port waits in vain once the load has gone */
    setsockopt(client->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    setsockopt(client->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &late, sizeof late);
    if (bind(client->fd, (struct sockaddr *)&from, sizeof from) < 0) give_up("bind");
    without_delay(client->fd);
    if (connect(client->fd, (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS)
        give_up("connect");
    watch(epoll, client->fd, EPOLLOUT, client);
}

static void say(int fd, const char *text) {
    unsigned char bytes[2048];
    size_t length = strlen(text), head = length < 126 ? 6 : 8;
    if (head + length > sizeof bytes) give_up("a message is too long");
    bytes[0] = 0x81;
    bytes[1] = 0x80 | (length < 126 ? length : 126);
    if (head == 8) bytes[2] = length >> 8, bytes[3] = length & 255;
    memset(bytes + head - 4, 0, 4); /* a mask of zeros is a mask */
    memcpy(bytes + head, text, length);
    if (send(fd, bytes, head + length, MSG_NOSIGNAL) != (ssize_t)(head + length)) give_up("send");
}

static void upgrade(struct client *client) {
    char text[1024];
    int length = snprintf(text, sizeof text,
                          "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
                          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                          "Sec-WebSocket-Version: 13\r\n%s%s%s\r\n",
                          is.path, is.port, is.port, *is.subprotocol ? "Sec-WebSocket-Protocol: " : "", is.subprotocol,
                          *is.subprotocol ? "\r\n" : "");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    epoll_ctl(epoll, EPOLL_CTL_MOD, client->fd, &event);
    if (send(client->fd, text, length, MSG_NOSIGNAL) != length) give_up("send");
    client->state = UPGRADING;
}

/* The room's next command: its version tells which, and in which game. */
static void write_command(char *text, size_t size, const struct room *room) {
    uint32_t done = room->version - 2, game = done / command_count + 1;
    size_t at = 0;
    for (const char *from = commands[done % command_count]; *from && at < size - 16; from++) {
        if (*from != '%') {
            text[at++] = *from;
            continue;
        }
        char name = *++from;
        uint32_t value = name == 'n' ? command_number++ : name == 'v' ? room->version : name == 'g' ? game : game + 1;
        at += sprintf(text + at, "%u", value);
    }
    text[at] = 0;
}

static void ask(uint32_t number) {
    struct room *room = &rooms[number];
    room->missing = is.clients_a_room * burst;
    room->asked_at = now_ns();
    if (!room->busy) room->busy = 1, busy_rooms++;
    if (by_command) {
        char text[1024];
        uint32_t sender = number * is.clients_a_room + room->turn++ % is.clients_a_room;
        write_command(text, sizeof text, room);
        say(clients[sender].fd, text);
    } else {
        asked[asked_count++] = (struct trigger){number, burst};
    }
}

static void send_asked(void) {
    size_t left = asked_count * sizeof *asked;
    const char *from = (const char *)asked;
    while (left) {
        ssize_t sent = send(control, from, left, MSG_NOSIGNAL);
        if (sent < 0) give_up("control");
        from += sent, left -= sent;
    }
    asked_count = 0;
}

static void count(struct client *client) {
    struct room *room = &rooms[client->room];
    frames++;
    if (!room->busy || --room->missing) return;
    int64_t now = now_ns();
    publishes += burst;
    room->version += by_command;
    if (time_count < MAX_TIMES) {
        asked_at[time_count] = room->asked_at;
        times[time_count++] = now - room->asked_at;
    }
    if (now < until_ns && !every_ns) {
        ask(client->room);
    } else {
        room->busy = 0;
        busy_rooms--;
    }
}

static int begins(const struct client *client, uint32_t at, const char *prefix) {
    size_t length = strlen(prefix);
    return client->have - at >= length && !memcmp(client->head + at, prefix, length);
}

/* A frame's start is in `head`: tells how long it is, or 0 when more is needed. */
static uint64_t measure(const struct client *client, uint32_t *head_bytes) {
    if (client->have < 2) return 0;
    uint64_t length = client->head[1] & 127;
    *head_bytes = length < 126 ? 2 : length == 126 ? 4 : 10;
    if (client->have < *head_bytes) return 0;
    if (length >= 126) {
        length = 0;
        for (uint32_t i = 2; i < *head_bytes; i++) length = length << 8 | client->head[i];
    }
    return *head_bytes + length;
}

static void take_frame(struct client *client, uint32_t at) {
    if (client->state == WAITING && begins(client, at, is.ready)) {
        client->state = UP;
        up++;
        if (started < client_count) connect_next();
    } else if (client->state == UP && begins(client, at, is.counted)) {
        count(client);
    } else if (begins(client, at, "{\"type\":\"refused\"")) {
        fprintf(stderr, "a command was refused in room %s\n", rooms[client->room].name);
        exit(1);
    } else if ((client->head[0] & 15) == 8) {
        fprintf(stderr, "a subscriber was sent away\n");
        exit(1);
    }
}

static void take_bytes(struct client *client, const unsigned char *bytes, size_t count) {
    while (count) {
        if (client->skip) {
            size_t now = count < client->skip ? count : client->skip;
            client->skip -= now, bytes += now, count -= now;
            continue;
        }
        uint32_t head_bytes = 0;
        client->head[client->have++] = *bytes++;
        count--;
        uint64_t length = measure(client, &head_bytes);
        uint64_t wanted = length < head_bytes + 24 ? length : head_bytes + 24;
        if (length && client->have < wanted) {
            size_t now = wanted - client->have < count ? wanted - client->have : count;
            memcpy(client->head + client->have, bytes, now);
            client->have += now, bytes += now, count -= now;
        }
        if (length && client->have >= wanted) {
            client->skip = length - client->have;
            take_frame(client, head_bytes);
            client->have = 0;
        }
    }
}

static void hear(struct client *client) {
    static unsigned char bytes[1 << 18];
    ssize_t got = recv(client->fd, bytes, sizeof bytes - 1, 0);
    if (got <= 0) {
        fprintf(stderr, "a subscriber has lost its connection\n");
        exit(1);
    }
    total_bytes += got;
    if (client->state != UPGRADING) return take_bytes(client, bytes, got);
    bytes[got] = 0;
    unsigned char *end = memmem(bytes, got, "\r\n\r\n", 4);
    if (!end || strncmp((char *)bytes, "HTTP/1.1 101", 12)) {
        fprintf(stderr, "turned away: %s\n", bytes);
        exit(1);
    }
    char hello[512];
    client->state = WAITING;
    snprintf(hello, sizeof hello, is.hello, rooms[client->room].name);
    say(client->fd, hello);
    take_bytes(client, end + 4, got - (end + 4 - bytes));
}

static int ascending(const void *a, const void *b) {
    int64_t difference = *(const int64_t *)a - *(const int64_t *)b;
    return (difference > 0) - (difference < 0);
}

static void poll_once(int timeout_ms) {
    struct epoll_event events[512];
    int ready = epoll_wait(epoll, events, 512, timeout_ms);
    for (int i = 0; i < ready; i++) {
        struct client *client = events[i].data.ptr;
        if (!client) continue; /* an order: read after the round */
        if (client->state == CONNECTING) {
            upgrade(client);
        } else {
            hear(client);
        }
        if (asked_count > 4000) send_asked();
    }
    if (asked_count) send_asked();
}

static void print_spans(void) {
    for (uint32_t n = 0; n < time_count; n++)
        printf("%s[%ld, %ld]", n ? ", " : "", asked_at[n], asked_at[n] + times[n]);
}

static void report(const char *what, int64_t began) {
    printf("{\"spans\": [");
    if (is_traced) print_spans();
    qsort(times, time_count, sizeof *times, ascending);
    double p50 = time_count ? times[time_count / 2] / 1e3 : 0;
    double p99 = time_count ? times[(uint64_t)time_count * 99 / 100] / 1e3 : 0;
    printf("], \"%s\": true, \"seconds\": %.6f, \"frames\": %lu, \"publishes\": %lu, \"bytes\": %lu, \"p50_us\": %.1f, "
           "\"p99_us\": %.1f}\n",
           what, (now_ns() - began) / 1e9, frames, publishes, total_bytes, p50, p99);
    fflush(stdout);
}

static void ask_who_may(void) {
    int64_t now = now_ns();
    for (uint32_t number = 0; number < room_count && now < until_ns; number++) {
        struct room *room = &rooms[number];
        if (room->busy || now < room->next_at) continue;
        room->next_at = now + every_ns;
        ask(number);
    }
}

static void run(int ms, int together, int is_command, int every_ms) {
    int64_t began = now_ns();
    frames = publishes = total_bytes = time_count = 0;
    by_command = is_command, burst = together;
    until_ns = began + (int64_t)ms * 1000000;
    every_ns = (int64_t)every_ms * 1000000;
    for (uint32_t number = 0; number < room_count; number++) {
        rooms[number].next_at = began + every_ns * number / room_count; /* not all at once */
        if (every_ns) continue;
        ask(number);
        if (asked_count > 4000) send_asked();
    }
    if (asked_count) send_asked();
    while (busy_rooms || (every_ns && now_ns() < until_ns)) {
        poll_once(every_ns ? 1 : 1000);
        if (every_ns) ask_who_may();
        if (now_ns() > until_ns + 20000000000) {
            fprintf(stderr, "frames are missing in %u rooms\n", busy_rooms);
            exit(1);
        }
    }
    report("ran", began);
}

/* A hub sends away who is silent for half a minute: between windows, now and then, everybody says that it is there. */
static void say_pong(int at_once) {
    static int64_t said_at;
    if (!at_once && (!*is.subprotocol || now_ns() - said_at < 8000000000)) return;
    said_at = now_ns();
    for (uint32_t n = 0; n < client_count; n++)
        if (clients[n].state == UP) say(clients[n].fd, "{\"type\":\"pong\"}");
}

static void read_rooms(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) give_up(path);
    uint32_t size = 0;
    char line[40];
    while (fscanf(file, "%39s", line) == 1) {
        if (room_count == size) rooms = realloc(rooms, (size = size * 2 + 64) * sizeof *rooms);
        rooms[room_count] = (struct room){.version = 2};
        strcpy(rooms[room_count++].name, line);
    }
    fclose(file);
}

static void read_commands(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) give_up(path);
    char line[1024];
    while (command_count < 1024 && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        commands[command_count++] = strdup(line);
    }
    fclose(file);
}

int main(int argc, char **argv) {
    if (argc < 10) return fprintf(stderr, "see the head of load.c\n"), 2;
    is.port = atoi(argv[1]), is.control_port = atoi(argv[2]), is.clients_a_room = atoi(argv[4]);
    is.path = argv[5], is.subprotocol = argv[6], is.hello = argv[7], is.ready = argv[8], is.counted = argv[9];
    raise_file_limit();
    if (argc > 10) read_commands(argv[10]);
    read_rooms(argv[3]);
    client_count = room_count * is.clients_a_room;
    clients = calloc(client_count, sizeof *clients);
    epoll = epoll_create1(0);
    if (is.control_port) {
        struct sockaddr_in address = loopback(is.control_port);
        control = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(control, (struct sockaddr *)&address, sizeof address) < 0) give_up("control");
        without_delay(control);
    }
    int64_t began = now_ns();
    while (started < client_count && started < AT_ONCE) connect_next();
    while (up < client_count) {
        poll_once(1000);
        say_pong(0); /* who was first may wait for long */
    }
    report("ready", began);
    watch(epoll, 0, EPOLLIN, NULL);
    char order[64];
    int ms, together, every;
    struct pollfd orders = {.fd = 0, .events = POLLIN};
    for (;;) {
        poll_once(100); /* between windows beats and counts of watchers are read, or buffers would fill */
        say_pong(0);
        if (poll(&orders, 1, 0) < 1) continue;
        if (!fgets(order, sizeof order, stdin) || !strncmp(order, "quit", 4)) return 0;
        if (!strncmp(order, "pong", 4)) {
            int64_t began = now_ns();
            say_pong(1);
            while (now_ns() - began < 500000000) poll_once(50);
            report("ponged", began);
        }
        const char *plain = order;
        is_traced = !strncmp(order, "trace ", 6);
        if (is_traced) plain += 6;
        if (sscanf(plain, "run %d %d", &ms, &together) == 2) run(ms, together, 0, 0);
        else if (sscanf(plain, "command %d %d", &ms, &every) == 2) run(ms, 1, 1, every);
        else if (sscanf(plain, "command %d", &ms) == 1) run(ms, 1, 1, 0);
    }
}
