/* A file system whose server never answers a read, and processes whose memory cannot be read because of it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILE_BYTES (1 << 20)
#define PAGE 4096ul

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void load(const char *module) {
  int fd = open(module, O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(module);
  if (syscall(SYS_finit_module, fd, "", 0) != 0) fail("finit_module");
}

static struct fuse_attr attributes(uint64_t node) {
  struct fuse_attr attr = {.ino = node, .nlink = 1, .blksize = PAGE};
  attr.mode = node == FUSE_ROOT_ID ? S_IFDIR | 0755 : S_IFREG | 0644;
  attr.size = node == FUSE_ROOT_ID ? 0 : FILE_BYTES;
  return attr;
}

static void answer(int device, uint64_t unique, int error, const void *body, size_t size) {
  char reply[512];
  struct fuse_out_header header = {.len = sizeof header + size, .error = error, .unique = unique};
  memcpy(reply, &header, sizeof header);
  if (size > 0) memcpy(reply + sizeof header, body, size);
  if (write(device, reply, header.len) < 0) perror("answer");
}

static void handle(int device, const struct fuse_in_header *in) {
  struct fuse_init_out init = {.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = PAGE};
  struct fuse_entry_out entry = {.nodeid = 2, .entry_valid = 9999, .attr_valid = 9999, .attr = attributes(2)};
  struct fuse_attr_out attr = {.attr_valid = 9999, .attr = attributes(in->nodeid)};
  static int opens;
  struct fuse_open_out opened = {.fh = 1};
  switch (in->opcode) {
    case FUSE_INIT: return answer(device, in->unique, 0, &init, sizeof init);
    case FUSE_LOOKUP: return answer(device, in->unique, 0, &entry, sizeof entry);
    case FUSE_GETATTR: return answer(device, in->unique, 0, &attr, sizeof attr);
    case FUSE_OPEN:
      opened.open_flags = opens++ == 0 ? 0 : FOPEN_DIRECT_IO | FOPEN_KEEP_CACHE;
      return answer(device, in->unique, 0, &opened, sizeof opened);
    case FUSE_READ: case FUSE_FORGET: case FUSE_BATCH_FORGET: case FUSE_INTERRUPT: return;
    default: return answer(device, in->unique, -38, NULL, 0);
  }
}

/* Mounts it and serves until it is killed. */
static void serve(const char *directory) {
  static char request[1 << 17];
  char options[128];
  int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (device < 0) fail("/dev/fuse");
  snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", device);
  if (mount("silent", directory, "fuse.silent", MS_NOSUID | MS_NODEV, options) != 0) fail("mount");
  while (read(device, request, sizeof request) > 0) handle(device, (struct fuse_in_header *)request);
}

/* The first open is cached, so that its read locks a page until it is answered. A mapping of a later one waits for that
   page with the memory map of the process locked: then its environment and arguments cannot be read either. */
static void hold(const char *path, int maps) {
  char byte;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path);
  if (maps) mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
  else if (read(fd, &byte, 1) < 0) fail("read");
  for (;;) pause();
}

static void hide(char **words) {
  if (fork() == 0) setsid();
  if (words[3] != NULL && chdir(words[3]) != 0) fail(words[3]);
  hold(words[2], 1);
}

int main(int argc, char **argv) {
  const char *what = argc < 3 ? "" : argv[1];
  if (strcmp(what, "load") == 0) load(argv[2]);
  else if (strcmp(what, "serve") == 0) serve(argv[2]);
  else if (strcmp(what, "read") == 0) hold(argv[2], 0);
  else if (strcmp(what, "hide") == 0) hide(argv);
  else return 64;
  return 0;
}
