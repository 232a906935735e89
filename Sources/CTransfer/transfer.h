// The part of libcurl's interface that the client of repositories needs on Linux.
//
// The library, libcurl.so.4, is there wherever Foundation is, which needs it for FoundationNetworking. Its header is in a
// package of its own, so the declarations are repeated here: the numbers belong to the ABI, which has not changed since
// 2006. Functions with a variable number of arguments, which Swift cannot call, are wrapped.
#ifdef __linux__
#ifndef STREAM_TRANSFER_H
#define STREAM_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

struct curl_slist;

int curl_global_init(long flags);
void *curl_easy_init(void);
void curl_easy_cleanup(void *handle);
int curl_easy_setopt(void *handle, int option, ...);
int curl_easy_getinfo(void *handle, int info, ...);
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text);
void curl_slist_free_all(struct curl_slist *list);
void *curl_multi_init(void);
int curl_multi_add_handle(void *loop, void *handle);
int curl_multi_remove_handle(void *loop, void *handle);
int curl_multi_perform(void *loop, int *running);
int curl_multi_poll(void *loop, void *descriptors, unsigned int count, int milliseconds, int *ready);
int curl_multi_wakeup(void *loop);

struct transfer_message {
  int kind;
  void *handle;
  union {
    void *data;
    int result;
  } content;
};
struct transfer_message *curl_multi_info_read(void *loop, int *waiting);

enum transfer_option {
  transfer_follow_redirects = 52,
  transfer_redirect_limit = 68,
  transfer_no_signals = 99,
  transfer_milliseconds = 155,
  transfer_connect_milliseconds = 156,
  transfer_protocols = 181,
  transfer_redirect_protocols = 182,
  transfer_keep_alive = 213,
  transfer_path_as_is = 234,
  transfer_body_data = 10001,
  transfer_url = 10002,
  transfer_user_agent = 10018,
  transfer_fields = 10023,
  transfer_header_data = 10029,
  transfer_method = 10036,
  transfer_certificate_file = 10065,
  transfer_certificate_folder = 10097,
  transfer_copied_body = 10165,
  transfer_body_function = 20011,
  transfer_header_function = 20079,
  transfer_body_bytes = 30120,
};

enum transfer_info {
  transfer_content_type = 0x100012,
  transfer_status = 0x200002,
  transfer_content_length = 0x60000f,
};

typedef size_t (*transfer_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline int transfer_set_number(void *handle, enum transfer_option option, long value) {
  return curl_easy_setopt(handle, (int)option, value);
}

static inline int transfer_set_count(void *handle, enum transfer_option option, int64_t value) {
  return curl_easy_setopt(handle, (int)option, value);
}

static inline int transfer_set_text(void *handle, enum transfer_option option, const char *value) {
  return curl_easy_setopt(handle, (int)option, value);
}

static inline int transfer_set_pointer(void *handle, enum transfer_option option, const void *value) {
  return curl_easy_setopt(handle, (int)option, value);
}

static inline int transfer_set_receiver(void *handle, enum transfer_option option, transfer_receiver value) {
  return curl_easy_setopt(handle, (int)option, value);
}

static inline long transfer_number(void *handle, enum transfer_info info) {
  long value = 0;
  curl_easy_getinfo(handle, (int)info, &value);
  return value;
}

static inline int64_t transfer_count(void *handle, enum transfer_info info) {
  int64_t value = -1;
  curl_easy_getinfo(handle, (int)info, &value);
  return value;
}

static inline const char *transfer_text(void *handle, enum transfer_info info) {
  const char *value = NULL;
  curl_easy_getinfo(handle, (int)info, &value);
  return value;
}

#endif
#endif
