// Computes the id maps of user namespaces (user_namespaces(7)). Root in the namespace of a service is mapped
// to an id that no account uses. So this root owns no files outside the namespace and has no rights over
// other processes.

/** A range of `count` consecutive ids. */
export interface IdRange {
  readonly first: number;
  readonly count: number;
}

/**
 * A line of an id map. It maps `count` consecutive ids: the first is `inside` in the namespace and `outside`
 * in the parent namespace.
 */
export interface IdMapping {
  readonly inside: number;
  readonly outside: number;
  readonly count: number;
}

export interface IdMaps {
  readonly users: readonly IdMapping[];
  readonly groups: readonly IdMapping[];
}

/** The number of ids that a user namespace needs. The highest id in use is 65534 (`nobody`). */
const IDS = 65_536;
/**
 * The first id of the ranges that are given to services. It is above the ids of accounts and of
 * `/etc/subuid`. All ranges end below 2^31, so that no id is negative in signed 32 bits.
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
 * Divides the range of root in `/etc/subuid` into parts of `IDS` ids, and returns the part that the hash
 * chooses.
 */
const partOf = ({ first, count }: IdRange, hash: number): IdRange => {
  const parts = Math.floor(count / IDS);
  return parts === 0 ? { first, count } : { first: first + (hash % parts) * IDS, count: IDS };
};

export interface Ids {
  /** The ranges of ids that `/etc/subuid` or `/etc/subgid` gives to root. */
  readonly own: readonly IdRange[];
  /** The ids of accounts, and the ranges that belong to other users. */
  readonly taken: readonly IdRange[];
}

/** Returns the ids for a service; `undefined` if none are free. Rarely, two services get the same ids. */
export const rangeFor = (service: string, { own: [own], taken }: Ids): IdRange | undefined => {
  const hash = hashOf(service);
  if (own !== undefined) return partOf(own, hash);
  for (let tried = 0; tried < SLOTS; tried += 1) {
    const range = { first: FIRST + ((hash + tried) % SLOTS) * IDS, count: IDS };
    if (!taken.some((other) => overlaps(range, other))) return range;
  }
  return undefined;
};

/** Returns the mapping by which this id is the same number inside and outside of the namespace. */
export const itself = (id: number): IdMapping => ({ inside: id, outside: id, count: 1 });

/** Returns the mapping from all ids inside the namespace to this range of ids outside. */
export const within = ({ first, count }: IdRange): readonly IdMapping[] => [
  { inside: 0, outside: first, count },
];

/**
 * Returns the mapping from all ids inside the namespace to this range outside, except for root, which is
 * mapped to `root`.
 */
export const withRoot = (root: number, { first, count }: IdRange): readonly IdMapping[] => [
  { inside: 0, outside: root, count: 1 },
  { inside: 1, outside: first + 1, count: count - 1 },
];

/** Returns the mappings in the format of `/proc/<pid>/uid_map`. */
export const mapText = (mappings: readonly IdMapping[]): string =>
  mappings.map(({ inside, outside, count }) => `${inside} ${outside} ${count}\n`).join('');
