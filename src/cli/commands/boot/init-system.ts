// How boot entries are read, installed and removed: one interface for every init system.
export const INITS = ['systemd', 'openrc', 'crontab'] as const;
export type InitName = (typeof INITS)[number];

export interface InitSystem {
  readonly name: InitName;
  /** Where the entry is, for people. */
  readonly where: string;
  /** Text that would be written now. */
  readonly text: string;
  /** Text of the entry; `undefined`: none. */
  readonly read: () => string | undefined;
  /**
   * True if the text was checked and is valid, false if it cannot be checked. Throws ERR0604 if it is wrong.
   */
  readonly verify: () => boolean;
  /** Writes the text and enables it. Throws ERR0604. */
  readonly place: () => void;
  /** Removes it. Throws ERR0604. */
  readonly remove: () => void;
  /** Whether it takes effect at boot. */
  readonly enabled: () => boolean;
  /** Pid of the supervisor or guardian that it started; `undefined`: none, or not known. */
  readonly started: () => number | undefined;
  /** What else the user should do. */
  readonly hints: () => readonly string[];
}
