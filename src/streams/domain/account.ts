// An account of the machine: passwd(5), group(5).

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** Its own group and those it is a member of. */
  readonly groups: readonly number[];
  readonly home: string;
  readonly shell: string;
}

/** Of a user or a group: they have 32 bits, and the one above it means "as it is" to the kernel (setresuid(2)). */
export const HIGHEST_ID = 4_294_967_294;

/** Any other would be another one once the kernel has it, root's even. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id >= 0 && id <= HIGHEST_ID;
