// The uid and gid maps of user namespaces (user_namespaces(7)). Root in the namespace of a service maps to an
// id that no account of the machine uses. So it owns no files outside and has no rights over other processes.

/** A range of `count` consecutive ids. */
export interface IdRange {
  readonly first: number;
  readonly count: number;
}

/**
 * One line of a map: the `count` ids from `inside` on are those from `outside` on in the parent namespace.
 */
export interface IdMapping {
  readonly inside: number;
  readonly outside: number;
  readonly count: number;
}

/** The maps of uids and gids for one user namespace. */
export interface IdMaps {
  readonly users: readonly IdMapping[];
  readonly groups: readonly IdMapping[];
}

/** How many ids a namespace needs; the highest in use is 65534 (`nobody`). */
const IDS = 65_536;
/**
 * The first id that is assigned: above the ids that distributions use for accounts and `/etc/subuid`, and low
 * enough that no assigned id is negative as a signed 32-bit number.
 */
const FIRST = 0x1000_0000;
const SLOTS = 0x6000;
const FNV_OFFSET = 0x811c_9dc5;
const FNV_PRIME = 0x0100_0193;

const hashOf = (text: string): number =>
  Array.from(text, (letter) => letter.codePointAt(0) ?? 0).reduce(
    (hash, code) => Math.imul(hash ^ code, FNV_PRIME) >>> 0,
    FNV_OFFSET,
  );

const overlaps = (one: IdRange, other: IdRange): boolean =>
  one.first < other.first + other.count && other.first < one.first + one.count;

/**
 * Returns a part of root's range in `/etc/subuid`, chosen by the hash; the whole range if it has fewer than
 * 65,536 ids.
 */
const partOf = ({ first, count }: IdRange, hash: number): IdRange => {
  const parts = Math.floor(count / IDS);
  return parts === 0 ? { first, count } : { first: first + (hash % parts) * IDS, count: IDS };
};

export interface Ids {
  /** The ranges that `/etc/subuid` or `/etc/subgid` gives to root. */
  readonly own: readonly IdRange[];
  /** The ids of accounts, and the ranges that belong to other users. */
  readonly taken: readonly IdRange[];
}

/**
 * Returns the id range of a service; `undefined` if all are taken. It stays the same unless the machine's
 * accounts change. Two services may get the same range: without a range in `/etc/subuid`, one pair in 24,576
 * does.
 */
export const rangeFor = (service: string, { own: [own], taken }: Ids): IdRange | undefined => {
  const hash = hashOf(service);
  if (own !== undefined) return partOf(own, hash);
  for (let tried = 0; tried < SLOTS; tried += 1) {
    const range = { first: FIRST + ((hash + tried) % SLOTS) * IDS, count: IDS };
    if (!taken.some((other) => overlaps(range, other))) return range;
  }
  return undefined;
};

/** Returns the mapping that leaves this id as it is. */
export const itself = (id: number): IdMapping => ({ inside: id, outside: id, count: 1 });

/** Returns the mapping of all ids inside, from root on, to this range. */
export const within = ({ first, count }: IdRange): readonly IdMapping[] => [
  { inside: 0, outside: first, count },
];

/**
 * Returns the mapping of all ids inside to this range, except that root inside becomes the id `root` outside.
 */
export const withRoot = (root: number, { first, count }: IdRange): readonly IdMapping[] => [
  { inside: 0, outside: root, count: 1 },
  { inside: 1, outside: first + 1, count: count - 1 },
];

/** Returns the mappings in the format of `/proc/<pid>/uid_map`. */
export const mapText = (mappings: readonly IdMapping[]): string =>
  mappings.map(({ inside, outside, count }) => `${inside} ${outside} ${count}\n`).join('');
