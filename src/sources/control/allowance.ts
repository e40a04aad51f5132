// Limits how much of the spawn socket each uid may use, so that no uid can block another one.

/** Connections of one uid at the same time. */
const MOST_CONNECTIONS = 8;
/** New connections of one uid within a second, and likewise its requests. */
const MOST_IN_WINDOW = 20;
const WINDOW_MS = 1_000;

interface Use {
  connections: number;
  opened: readonly number[];
  requested: readonly number[];
}

export interface Allowance {
  /** True if this uid may have one more connection; it counts until `close`. */
  readonly open: (uid: number) => boolean;
  readonly close: (uid: number) => void;
  /** True if this uid may send one more message now. */
  readonly request: (uid: number) => boolean;
}

/** `now` returns milliseconds of a monotonic clock. */
export const allowance = (now: () => number = () => performance.now()): Allowance => {
  const uses = new Map<number, Use>();
  const useOf = (uid: number): Use => {
    const known = uses.get(uid) ?? { connections: 0, opened: [], requested: [] };
    uses.set(uid, known);
    return known;
  };
  const isRecent = (at: number): boolean => now() - at < WINDOW_MS;
  const count = (use: Use, what: 'opened' | 'requested'): boolean => {
    const recent = use[what].filter(isRecent);
    use[what] = recent.length < MOST_IN_WINDOW ? [...recent, now()] : recent;
    return recent.length < MOST_IN_WINDOW;
  };
  return {
    open: (uid) => {
      const use = useOf(uid);
      if (use.connections >= MOST_CONNECTIONS || !count(use, 'opened')) return false;
      use.connections += 1;
      return true;
    },
    close: (uid) => void (useOf(uid).connections -= 1),
    request: (uid) => count(useOf(uid), 'requested'),
  };
};
