// What a boot entry is put in place with: the same few questions and deeds for every init system.
export const INITS = ['systemd', 'openrc', 'crontab'] as const;
export type InitName = (typeof INITS)[number];

export interface InitSystem {
  readonly name: InitName;
  /** Where the entry stands, for people. */
  readonly where: string;
  /** What would be written now. */
  readonly text: string;
  /** What stands there; `undefined`: nothing. */
  readonly read: () => string | undefined;
  /** Whether it was looked at and is right. Throws ERR0604 with what is wrong; `false`: nobody here can tell. */
  readonly verify: () => boolean;
  /** Writes the text and has it heeded at boot. Throws ERR0604. */
  readonly place: () => void;
  /** Takes it away. Throws ERR0604. */
  readonly remove: () => void;
  /** Whether it is heeded at boot. */
  readonly enabled: () => boolean;
  /** The pid that was started by it: of the supervisor or of its guardian; `undefined`: none, or nobody can tell. */
  readonly started: () => number | undefined;
  /** What else a person should do. */
  readonly hints: () => readonly string[];
}
