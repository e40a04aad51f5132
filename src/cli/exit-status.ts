// What `sup` ends with: `spec/gaps` §10.

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** `status` only: no supervisor is running, persisted state was shown. */
  offline: 3,
} as const;

export type ExitName = keyof typeof EXIT;
/** The number itself; commands of other folders return plain numbers. */
export type ExitStatus = number;
