// Records signals that arrive before the program can handle them, or after the program has stopped handling
// them. A small file begins the record and then loads the program. The record is a property of the global
// object, so that the small file and the program can access it. SIGUSR1 is ignored, because by default it
// opens a port through which every user can attach a debugger.
// Rules: `docs/behaviour.md`, "One supervisor".
type Noted = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

interface SignalRecorder {
  readonly noted: Noted[];
  readonly close: () => void;
}

const PLACE = Symbol.for('sup.signals');
const NOTED: readonly Noted[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];
/** A signal that is ignored: its default action kills the process, and the supervisor does not use it. */
const IGNORED = 'SIGUSR2';

/**
 * The prefix of a command-line argument. In a re-exec, the argument hands the recorded signals to the program
 * that this process executes.
 */
export const SIGNALS_OPTION = '--heard=';

export const earlySignalWords = (): readonly string[] => {
  const signals = takeEarlySignals();
  return signals.length === 0 ? [] : [`${SIGNALS_OPTION}${signals.join()}`];
};

/** Returns the signals that were passed with `SIGNALS_OPTION`, in the order in which they arrived. */
const signalsIn = (words: readonly string[]): Noted[] => {
  const passed = words.find((word) => word.startsWith(SIGNALS_OPTION))?.slice(SIGNALS_OPTION.length) ?? '';
  return passed.split(',').flatMap((word) => NOTED.find((name) => name === word) ?? []);
};

type Target = Pick<NodeJS.EventEmitter, 'on' | 'off'>;

const opened = (target: Target, noted: Noted[]): SignalRecorder => {
  const note = (name: Noted): void => void noted.push(name);
  const nothing = (): void => undefined;
  for (const name of NOTED) target.on(name, note);
  target.on(IGNORED, nothing);
  const close = (): void => {
    for (const name of NOTED) target.off(name, note);
    target.off(IGNORED, nothing);
  };
  return { noted, close };
};

/**
 * Records signals until `takeEarlySignals` is called. `words`: the arguments of this program, which may
 * contain signals that arrived before a re-exec.
 */
export const recordEarlySignals = (target: Target, words: readonly string[] = []): void => {
  if (!Reflect.has(globalThis, PLACE)) Reflect.set(globalThis, PLACE, opened(target, signalsIn(words)));
};

/**
 * Returns the recorded signals in order, and ends the record. The caller must already listen for the signals.
 */
export const takeEarlySignals = (): readonly Noted[] => {
  const recorder = Reflect.get(globalThis, PLACE) as SignalRecorder | undefined;
  Reflect.deleteProperty(globalThis, PLACE);
  recorder?.close();
  return recorder?.noted ?? [];
};

const nothing = (): void => undefined;

interface Inspector {
  readonly url: () => string | undefined;
}

/** Returns the inspector module; `undefined` if Node is built without it. */
const inspector = (): Inspector | undefined => process.getBuiltinModule('node:inspector');

const isAskedFor = ({ execArgv, env }: Pick<NodeJS.Process, 'execArgv' | 'env'>): boolean =>
  [...execArgv, env['NODE_OPTIONS'] ?? ''].some((word) => word.includes('--inspect'));

/**
 * Throws if SIGUSR1 has opened the debugger, which happens if the signal arrives before it is ignored. Only a
 * re-exec closes the debugger.
 */
export const refuseDebugger = (
  own: Pick<NodeJS.Process, 'execArgv' | 'env'>,
  debugging: Inspector | undefined = inspector(),
): void => {
  if (debugging?.url() !== undefined && !isAskedFor(own))
    throw new Error('SIGUSR1 opened the debugger of Node before it could be refused');
};

/** Ignores SIGUSR1 from now on. After an exec the signal has its default action again. */
export const keepDebuggerClosed = (own: Pick<NodeJS.Process, 'on'>): void => void own.on('SIGUSR1', nothing);
