// The maximum length of a unix socket's path (unix(7)).

/** In bytes: `sun_path` has room for one more, the terminating zero. */
export const LONGEST_SOCKET_PATH = 107;

export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) <= LONGEST_SOCKET_PATH;
