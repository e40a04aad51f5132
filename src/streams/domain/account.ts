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
