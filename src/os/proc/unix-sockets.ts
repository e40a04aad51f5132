// Unix domain sockets that have a name, from `/proc/net/unix`.
import { readFileSync } from 'node:fs';

interface UnixSocket {
  /** A path, or `@` and an abstract name. */
  readonly name: string;
  /** The inode to which the descriptors of its holders point. */
  readonly inode: string;
  /** False for a connection, which has the name of its listener. */
  readonly isListening: boolean;
}

/** `<address>: <references> <protocol> <flags> <type> <state> <inode> <name>`. */
const [FLAGS, INODE, NAME] = [3, 6, 7];
/** `SO_ACCEPTCON`. */
const ACCEPTS = 0x10000;

/** Empty if the table cannot be read. A name with two spaces in a row is listed with one. */
export const unixSockets = (): readonly UnixSocket[] =>
  table().map((line) => {
    const fields = line.split(/ +/);
    return {
      name: fields.slice(NAME).join(' '),
      inode: fields[INODE] ?? '',
      isListening: (Number.parseInt(fields[FLAGS] ?? '', 16) & ACCEPTS) !== 0,
    };
  });

/** The sockets at a path: those that listen, if any does. */
export const inodesAtPath = (path: string): ReadonlySet<string> => {
  const found = unixSockets().filter(({ name }) => name === path);
  const listening = found.filter(({ isListening }) => isListening);
  return new Set((listening.length > 0 ? listening : found).map(({ inode }) => inode));
};

const table = (): readonly string[] => {
  try {
    return readFileSync('/proc/net/unix', 'utf8').split('\n');
  } catch {
    return [];
  }
};
