/* The ceiling: what a loop over ready sockets can do at most, with one send() of a ready frame for each subscriber.
 *
 *     ceiling PORT CONTROL_PORT FRAME_BYTES
 *
 * A client is a subscriber of the room that its first frame names as a number ("room":"7"); it is answered with a
 * short frame. Triggers come over the control port (see wire.h). It speaks as much WebSocket as the load needs.
 */

#include "wire.h"

#define MAX_ROOMS 20000

struct room {
    int *fds;
    int count;
};

struct client {
    int fd;
    int greeted;
    int have;
    char said[2048];
};

static const char SWITCHING[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                "Sec-WebSocket-Accept: none\r\n\r\n";
static const char WELCOME[] = "\x81\x13{\"type\":\"snapshot\"}";

static struct room rooms[MAX_ROOMS];
static char *frame;
static size_t frame_bytes;

static int listen_on(int port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in address = loopback(port);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 4096) < 0) give_up("listen");
    return fd;
}

static void send_whole(int fd, const char *bytes, size_t count) {
    while (count) {
        ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) return; /* the load has gone */
        if (sent > 0) bytes += sent, count -= sent;
    }
}

static void make_frame(size_t payload) {
    size_t head = payload < 126 ? 2 : 4;
    frame_bytes = head + payload;
    frame = malloc(frame_bytes);
    frame[0] = '\x81';
    frame[1] = payload < 126 ? (char)payload : 126;
    if (head == 4) frame[2] = (char)(payload >> 8), frame[3] = (char)payload;
    memset(frame + head, ' ', payload);
    memcpy(frame + head, "{\"type\":\"event\"", 15);
}

static void publish(const struct trigger *trigger) {
    struct room *room = &rooms[trigger->room % MAX_ROOMS];
    for (uint32_t n = 0; n < trigger->count; n++)
        for (int i = 0; i < room->count; i++) send_whole(room->fds[i], frame, frame_bytes);
}

static void hear(int epoll, struct client *client) {
    ssize_t got = recv(client->fd, client->said + client->have, sizeof client->said - 1 - client->have, 0);
    if (got <= 0) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, client->fd, NULL);
        close(client->fd);
        return;
    }
    client->have += got;
    client->said[client->have] = 0;
    if (!client->greeted && strstr(client->said, "\r\n\r\n")) {
        client->greeted = 1;
        client->have = 0;
        send_whole(client->fd, SWITCHING, sizeof SWITCHING - 1);
        return;
    }
    char *named = client->greeted ? memmem(client->said, client->have, "\"room\":\"", 8) : NULL;
    if (named) {
        struct room *room = &rooms[atoi(named + 8) % MAX_ROOMS];
        room->fds = realloc(room->fds, (room->count + 1) * sizeof *room->fds);
        room->fds[room->count++] = client->fd;
        send_whole(client->fd, WELCOME, sizeof WELCOME - 1);
    }
    if (named || client->have == sizeof client->said - 1) client->have = 0;
}

static void hear_triggers(int fd) {
    static char bytes[8 * 4096];
    static size_t have;
    ssize_t got = recv(fd, bytes + have, sizeof bytes - have, 0);
    if (got <= 0) exit(0);
    have += got;
    size_t whole = have / sizeof(struct trigger);
    for (size_t n = 0; n < whole; n++) publish((struct trigger *)bytes + n);
    have -= whole * sizeof(struct trigger);
    memmove(bytes, bytes + whole * sizeof(struct trigger), have);
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "ceiling PORT CONTROL_PORT FRAME_BYTES\n"), 2;
    raise_file_limit();
    make_frame(atoi(argv[3]));
    int epoll = epoll_create1(0), listening = listen_on(atoi(argv[1])), control = listen_on(atoi(argv[2]));
    static int is_listening, is_control, is_trigger; /* known by their addresses */
    watch(epoll, listening, EPOLLIN, &is_listening);
    watch(epoll, control, EPOLLIN, &is_control);
    int triggers = -1;
    puts("{\"ready\": true}");
    fflush(stdout);
    struct epoll_event events[256];
    for (;;) {
        int count = epoll_wait(epoll, events, 256, -1);
        for (int i = 0; i < count; i++) {
            void *what = events[i].data.ptr;
            if (what == &is_listening) {
                struct client *client = calloc(1, sizeof *client);
                client->fd = accept(listening, NULL, NULL);
                if (client->fd < 0) give_up("accept");
                without_delay(client->fd);
                watch(epoll, client->fd, EPOLLIN, client);
            } else if (what == &is_control) {
                triggers = accept(control, NULL, NULL);
                without_delay(triggers);
                watch(epoll, triggers, EPOLLIN, &is_trigger);
            } else if (what == &is_trigger) {
                hear_triggers(triggers);
            } else {
                hear(epoll, what);
            }
        }
    }
}
