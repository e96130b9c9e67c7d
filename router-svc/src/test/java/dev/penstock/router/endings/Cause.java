package dev.penstock.router.endings;

/** What ends a request. */
enum Cause {
    NORMAL_END,
    CLIENT_FIN,
    CLIENT_RST,
    CLIENT_STOPS_READING,
    ENGINE_RST,
    ENGINE_FIN,
    SILENT_FIRST_BYTE,
    SILENT_IDLE,
    DEADLINE_OF_CLIENT,
    DEADLINE_OF_MODEL,
    ENGINE_STATUS,
    REFUSAL_IN_200,
    EJECTED_AND_SILENT,
    CONNECT_REFUSED,
    CONNECT_TIMEOUT
}
