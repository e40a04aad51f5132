// `node:fs` of which the k-th call that changes something fails, or is the last that a process makes. To be put in the place
// of the real one with `vi.mock`.
type Call = (...args: never[]) => unknown;
type Calls = Readonly<Record<string, unknown>>;

/** What happens at the call: it is refused with this code, or it is half done and nothing is ever done after it. */
export type Fault = 'ENOSPC' | 'EIO' | 'EMFILE' | 'killed' | 'half done and killed' | 'done and killed';

export interface Fate {
  calls: number;
  /** At which call; none: Infinity. */
  at: number;
  fault: Fault;
  dead: boolean;
  /** The last call of a dead process, where it is still being carried out. */
  underWay?: Promise<unknown>;
}

export class Killed extends Error {}

export const CALM: Omit<Fate, 'fault'> = { calls: 0, at: Infinity, dead: false };

const SYNC = [
  ...['openSync', 'closeSync', 'writeSync', 'writeFileSync', 'fsyncSync', 'ftruncateSync'],
  ...['mkdirSync', 'renameSync', 'rmSync'],
];

const refusal = (code: string): Error => Object.assign(new Error(`${code}: as it was told`), { code });

/** The last thing that it does: as much of a write as is asked for, anything else wholly or not at all. */
const lastDeed = (name: string, fault: Fault, act: (share: number) => void): void => {
  if (fault === 'done and killed') act(1);
  if (fault === 'half done and killed' && name === 'writeSync') act(0.5);
};

/** Counts, and lets through what is not to go wrong. */
const met = <T>(fate: Fate, name: string, act: (share: number) => T): T => {
  if (fate.dead) throw new Killed();
  fate.calls += 1;
  if (fate.calls !== fate.at) return act(1);
  // A descriptor is closed, whatever the kernel says of it.
  if (!fate.fault.endsWith('killed')) {
    if (name === 'closeSync' || name === 'close') act(1);
    throw refusal(fate.fault);
  }
  fate.dead = true;
  lastDeed(name, fate.fault, act);
  throw new Killed();
};

const partOf = (args: readonly unknown[], share: number): readonly unknown[] => {
  const [descriptor, bytes, offset = 0] = args;
  if (share === 1 || !Buffer.isBuffer(bytes) || typeof offset !== 'number') return args;
  return [descriptor, bytes, offset, Math.floor((bytes.length - offset) * share)];
};

const guarded = (fate: Fate, name: string, real: unknown): Call => {
  const call = real as (...args: unknown[]) => unknown;
  return (...args) => met(fate, name, (share) => call(...partOf(args, share)));
};

/** Of the calls with a callback only this one is used. */
const fdatasync =
  (fate: Fate, real: unknown) =>
  (descriptor: number, done: (error: unknown) => void): void => {
    try {
      met(fate, 'fdatasync', () => (real as (fd: number, done: unknown) => void)(descriptor, done));
    } catch (error) {
      if (!fate.dead) done(error);
    }
  };

export const faultyFs = (real: Calls, fate: Fate): Calls => ({
  ...real,
  ...Object.fromEntries(SYNC.map((name) => [name, guarded(fate, name, real[name])])),
  fdatasync: fdatasync(fate, real['fdatasync']),
});

interface Handle {
  readonly writeFile: (text: string) => Promise<void>;
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Operations of the last call complete before the test continues (`underWay`). */
const metLater = async <T>(fate: Fate, name: string, act: () => Promise<T>): Promise<T> => {
  let deed: Promise<T> | undefined;
  try {
    return await met(fate, name, () => (deed = act()));
  } catch (error) {
    fate.underWay = Promise.resolve(deed).catch(() => undefined);
    await fate.underWay;
    throw error;
  }
};

/** The descriptor of a dead process is closed for it. */
const handleOf = (fate: Fate, real: Handle): Handle => {
  const ofTheDead = async <T>(deed: Promise<T>): Promise<T> => {
    try {
      return await deed;
    } catch (error) {
      if (fate.dead) await real.close();
      throw error;
    }
  };
  return {
    writeFile: (text) => ofTheDead(metLater(fate, 'writeFile', () => real.writeFile(text))),
    sync: () => ofTheDead(metLater(fate, 'sync', () => real.sync())),
    close: () => ofTheDead(metLater(fate, 'close', () => real.close())),
  };
};

export const faultyPromises = (real: Calls, fate: Fate): Calls => {
  const later =
    (name: string) =>
    (...args: unknown[]): Promise<unknown> =>
      metLater(fate, name, () => (real[name] as (...args: unknown[]) => Promise<unknown>)(...args));
  const openReally = real['open'] as (...args: unknown[]) => Promise<Handle>;
  const open = async (...args: unknown[]): Promise<Handle> => {
    let opened: Promise<Handle> | undefined;
    try {
      return handleOf(fate, await metLater(fate, 'open', () => (opened = openReally(...args))));
    } catch (error) {
      await opened?.then(
        (handle) => handle.close(),
        () => undefined,
      );
      throw error;
    }
  };
  return {
    ...real,
    ...Object.fromEntries(['mkdir', 'rename', 'rm'].map((name) => [name, later(name)])),
    open,
  };
};
