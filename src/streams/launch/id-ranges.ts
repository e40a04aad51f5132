// Id maps of user namespaces (user_namespaces(7)). Root of a service's namespace maps to an id that no
// account uses, so it owns no files outside and has no rights over other processes.

/** A range of `count` consecutive ids. */
export interface IdRange {
  readonly first: number;
  readonly count: number;
}

/** A line of an id map: `count` ids from `inside` on are those from `outside` on in the parent namespace. */
export interface IdMapping {
  readonly inside: number;
  readonly outside: number;
  readonly count: number;
}

export interface IdMaps {
  readonly users: readonly IdMapping[];
  readonly groups: readonly IdMapping[];
}

/** Ids that a user namespace needs: the highest one in use is 65534 (`nobody`). */
const IDS = 65_536;
/** Above the ids of accounts and `/etc/subuid`, and no id above is negative in signed 32 bits. */
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

/** Returns a part of root's range in `/etc/subuid`, chosen by the hash. */
const partOf = ({ first, count }: IdRange, hash: number): IdRange => {
  const parts = Math.floor(count / IDS);
  return parts === 0 ? { first, count } : { first: first + (hash % parts) * IDS, count: IDS };
};

export interface Ids {
  /** The id ranges that `/etc/subuid` or `/etc/subgid` gives to root. */
  readonly own: readonly IdRange[];
  /** The ids of accounts, and ranges that belong to other users. */
  readonly taken: readonly IdRange[];
}

/** Returns the id range for a service, if any is free. Two services may share one, if only rarely. */
export const rangeFor = (service: string, { own: [own], taken }: Ids): IdRange | undefined => {
  const hash = hashOf(service);
  if (own !== undefined) return partOf(own, hash);
  for (let tried = 0; tried < SLOTS; tried += 1) {
    const range = { first: FIRST + ((hash + tried) % SLOTS) * IDS, count: IDS };
    if (!taken.some((other) => overlaps(range, other))) return range;
  }
  return undefined;
};

/** Returns the mapping that gives this id the same number inside and outside. */
export const itself = (id: number): IdMapping => ({ inside: id, outside: id, count: 1 });

/** Returns the mapping of all ids inside the namespace to this range outside. */
export const within = ({ first, count }: IdRange): readonly IdMapping[] => [
  { inside: 0, outside: first, count },
];

/** Returns the mapping to this range, except that root inside is the id `root` outside. */
export const withRoot = (root: number, { first, count }: IdRange): readonly IdMapping[] => [
  { inside: 0, outside: root, count: 1 },
  { inside: 1, outside: first + 1, count: count - 1 },
];

/** Returns the mappings in the format of `/proc/<pid>/uid_map`. */
export const mapText = (mappings: readonly IdMapping[]): string =>
  mappings.map(({ inside, outside, count }) => `${inside} ${outside} ${count}\n`).join('');
