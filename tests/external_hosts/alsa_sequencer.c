/* Stands in for the ALSA sequencer where the kernel has none, so that Qtractor starts its session: loaded before libasound, it opens
   a sequencer without clients and ports, and takes every event. Qtractor's notes reach its plugins without the sequencer. */

#include <errno.h>
#include <string.h>

/* Qtractor opens "default" for its events, which it needs, and "hw" for news about other clients, which it does without. */
int snd_seq_open(void **sequencer, const char *name, int streams, int mode) {
    static int handle;
    (void)streams;
    (void)mode;
    if (strcmp(name, "default") != 0) {
        return -ENOENT;
    }
    *sequencer = &handle;
    return 0;
}

/* A function of the sequencer that does nothing with its arguments. */
#define ANSWER(function, value) \
    int function(void) { return value; }

ANSWER(snd_seq_close, 0)
ANSWER(snd_seq_set_client_name, 0)
ANSWER(snd_seq_client_id, 128)
ANSWER(snd_seq_alloc_queue, 0)
ANSWER(snd_seq_free_queue, 0)
ANSWER(snd_seq_set_queue_timer, 0)
ANSWER(snd_seq_set_queue_tempo, 0)
ANSWER(snd_seq_get_queue_tempo, 0)
ANSWER(snd_seq_get_queue_status, -ENOENT)
ANSWER(snd_seq_control_queue, 0)
ANSWER(snd_seq_drain_output, 0)
ANSWER(snd_seq_drop_output, 0)
ANSWER(snd_seq_drop_input, 0)
ANSWER(snd_seq_event_output, 0)
ANSWER(snd_seq_event_output_direct, 0)
ANSWER(snd_seq_event_input, -EAGAIN)
ANSWER(snd_seq_event_input_pending, 0)
ANSWER(snd_seq_free_event, 0)
ANSWER(snd_seq_poll_descriptors_count, 0)
ANSWER(snd_seq_poll_descriptors, 0)
ANSWER(snd_seq_create_simple_port, 0)
ANSWER(snd_seq_delete_simple_port, 0)
ANSWER(snd_seq_get_port_info, 0)
ANSWER(snd_seq_set_port_info, 0)
ANSWER(snd_seq_get_any_port_info, -ENOENT)
ANSWER(snd_seq_get_any_client_info, -ENOENT)
ANSWER(snd_seq_query_next_client, -ENOENT)
ANSWER(snd_seq_query_next_port, -ENOENT)
ANSWER(snd_seq_query_port_subscribers, -ENOENT)
ANSWER(snd_seq_remove_events, 0)
ANSWER(snd_seq_subscribe_port, 0)
ANSWER(snd_seq_unsubscribe_port, 0)
