// An account of this machine: passwd(5), group(5).

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** Its primary group and those it is a member of. */
  readonly groups: readonly number[];
  readonly home: string;
  readonly shell: string;
}

/**
 * The highest uid or gid. They have 32 bits; the next value means "unchanged" to the kernel (setresuid(2)).
 */
export const HIGHEST_ID = 4_294_967_294;

/** True for a valid uid or gid. The kernel would truncate any other number to another id, even root's. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id >= 0 && id <= HIGHEST_ID;
