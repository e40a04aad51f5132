// The uid and gid maps of user namespaces (user_namespaces(7)). Root of a service maps to an id that nothing
// else on the machine has. It owns no files outside and has no rights over other processes.

/** `count` consecutive ids. */
export interface IdRange {
  readonly first: number;
  readonly count: number;
}

/** One line of a map: `count` ids from `inside` on map to those from `outside` on. */
export interface IdMapping {
  readonly inside: number;
  readonly outside: number;
  readonly count: number;
}

/** The maps of uids and gids. */
export interface IdMaps {
  readonly users: readonly IdMapping[];
  readonly groups: readonly IdMapping[];
}

/** The ids a namespace needs: `nobody` is 65534. */
const IDS = 65_536;
/**
 * Above what distributions give to accounts and to `/etc/subuid`, and below what the kernel reads as
 * negative.
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

/** Returns the range of `/etc/subuid` for root: a part of it if there are enough ids, otherwise all. */
const partOf = ({ first, count }: IdRange, hash: number): IdRange => {
  const parts = Math.floor(count / IDS);
  return parts === 0 ? { first, count } : { first: first + (hash % parts) * IDS, count: IDS };
};

export interface Ids {
  /** Ranges that belong to root. */
  readonly own: readonly IdRange[];
  /** Ids of accounts, and ranges that belong to others. */
  readonly taken: readonly IdRange[];
}

/**
 * Returns the range of a service, the same each time unless the machine's accounts change. Two services may
 * share one: with the default range, one pair in 24,576 does. `undefined`: all are taken.
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

/** Returns the mapping of an id to itself. */
export const itself = (id: number): IdMapping => ({ inside: id, outside: id, count: 1 });

/** Returns the mapping of root and all other ids inside to this range. */
export const within = ({ first, count }: IdRange): readonly IdMapping[] => [
  { inside: 0, outside: first, count },
];

/** Returns the same mapping, except that root maps to `root` outside. */
export const withRoot = (root: number, { first, count }: IdRange): readonly IdMapping[] => [
  { inside: 0, outside: root, count: 1 },
  { inside: 1, outside: first + 1, count: count - 1 },
];

/** Returns the maps in the kernel's format. */
export const mapText = (mappings: readonly IdMapping[]): string =>
  mappings.map(({ inside, outside, count }) => `${inside} ${outside} ${count}\n`).join('');
