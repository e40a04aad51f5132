// The uid and gid maps of user namespaces (user_namespaces(7)). Root in the namespace of a service maps to an
// id that no account of the machine uses. So this root owns no files outside and has no rights over other
// processes.

/** A range of `count` consecutive ids. */
export interface IdRange {
  readonly first: number;
  readonly count: number;
}

/**
 * One line of an id map: the `count` ids from `inside` on are the ids from `outside` on in the parent
 * namespace.
 */
export interface IdMapping {
  readonly inside: number;
  readonly outside: number;
  readonly count: number;
}

/** The id maps for the uids and the gids of one user namespace. */
export interface IdMaps {
  readonly users: readonly IdMapping[];
  readonly groups: readonly IdMapping[];
}

/** How many ids a user namespace needs: the highest id in use is 65534 (`nobody`). */
const IDS = 65_536;
/**
 * The first id that is given to user namespaces. It is above the ids that distributions use for accounts and
 * `/etc/subuid`, and low enough that no id is negative as a signed 32-bit number.
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
  /** The ids of accounts, and the ranges in the file that belong to other users. */
  readonly taken: readonly IdRange[];
}

/**
 * Returns the id range for a service; `undefined` if all ids are taken. A service has the same range unless
 * the accounts of the machine change. Two services may get the same range; without a range in `/etc/subuid`,
 * this happens to one pair in 24,576.
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

/** Returns the id mapping that gives this id the same number inside and outside. */
export const itself = (id: number): IdMapping => ({ inside: id, outside: id, count: 1 });

/** Returns the id mapping of all ids inside the namespace, from root on, to this range outside. */
export const within = ({ first, count }: IdRange): readonly IdMapping[] => [
  { inside: 0, outside: first, count },
];

/**
 * Returns the id mapping of all ids inside the namespace to this range outside, except that root inside
 * becomes the id `root` outside.
 */
export const withRoot = (root: number, { first, count }: IdRange): readonly IdMapping[] => [
  { inside: 0, outside: root, count: 1 },
  { inside: 1, outside: first + 1, count: count - 1 },
];

/** Returns the id mappings in the format of `/proc/<pid>/uid_map`. */
export const mapText = (mappings: readonly IdMapping[]): string =>
  mappings.map(({ inside, outside, count }) => `${inside} ${outside} ${count}\n`).join('');
