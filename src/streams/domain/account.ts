// An account of this machine, from passwd(5) and group(5).

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** The ids of the account's primary and supplementary groups. */
  readonly groups: readonly number[];
  readonly home: string;
  readonly shell: string;
}

/**
 * The highest valid uid or gid. The next number, 2^32 - 1, means "leave the id unchanged" in setresuid(2).
 */
export const HIGHEST_ID = 4_294_967_294;

/** True for a valid uid or gid. Linux cuts a larger number to 32 bits, which may give the id of root. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id >= 0 && id <= HIGHEST_ID;
