package dev.penstock.router.endings;

/** How far a request has come when its ending comes. */
enum Phase {
    BODY_UPLOADING,
    CONNECTING,
    BODY_TO_ENGINE,
    REQUEST_SENT,
    HEAD_RECEIVED,
    OPENING_EVENTS,
    MID_STREAM,
    LAST_EVENT,
    ERROR_BODY,
    AFTER_THE_END
}
