package io.lettuce.core.event.jfr;

/**
 * In place of lettuce's own, which records its events wherever there is Flight Recorder: to look whether it records
 * would load it, and the application's recordings are not for our connections.
 */
class EventRecorderHolder {
    static final EventRecorder EVENT_RECORDER = NoOpEventRecorder.INSTANCE;

    private EventRecorderHolder() {
    }
}
