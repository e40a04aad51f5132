// How long the path of a unix socket may be (unix(7)).

/** Bytes: `sun_path` has room for one more, which ends it. */
export const LONGEST_SOCKET_PATH = 107;

export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) <= LONGEST_SOCKET_PATH;
