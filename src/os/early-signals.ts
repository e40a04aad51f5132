// Signals before the program can act on them, or after it no longer can. They are recorded, so that they do
// not end it. A program starts as one file that loads another, so the record lies where both find it. SIGUSR1
// by default opens Node's debugger to every user of this machine: any client that connects runs code as this
// process. It is refused.
// Rules: `docs/behaviour.md`, "One supervisor".
type Noted = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

interface Ears {
  readonly noted: Noted[];
  readonly close: () => void;
}

const PLACE = Symbol.for('sup.signals');
const NOTED: readonly Noted[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];
/** Its default action ends the process, and nothing here uses it. */
const IGNORED = 'SIGUSR2';

/**
 * An argument for the next program in this process: the signals that this one received and could not act on.
 */
export const HEARD = '--heard=';

export const heardWords = (): readonly string[] => {
  const heard = heardEarly();
  return heard.length === 0 ? [] : [`${HEARD}${heard.join()}`];
};

const heardIn = (words: readonly string[]): Noted[] => {
  const told = words.find((word) => word.startsWith(HEARD))?.slice(HEARD.length) ?? '';
  return NOTED.filter((name) => told.split(',').includes(name));
};

type Target = Pick<NodeJS.EventEmitter, 'on' | 'off'>;

const opened = (target: Target, noted: Noted[]): Ears => {
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
 * Records signals until `heardEarly` is called. `words`: arguments of this program, which name the signals
 * its predecessor received.
 */
export const hearEarly = (target: Target, words: readonly string[] = []): void => {
  if (!Reflect.has(globalThis, PLACE)) Reflect.set(globalThis, PLACE, opened(target, heardIn(words)));
};

/** The recorded signals, in order. The caller must listen already, since recording ends here. */
export const heardEarly = (): readonly Noted[] => {
  const ears = Reflect.get(globalThis, PLACE) as Ears | undefined;
  Reflect.deleteProperty(globalThis, PLACE);
  ears?.close();
  return ears?.noted ?? [];
};

const nothing = (): void => undefined;

interface Inspector {
  readonly url: () => string | undefined;
}

/** `undefined` if Node is built without the inspector. */
const inspector = (): Inspector | undefined => process.getBuiltinModule('node:inspector');

const isAskedFor = ({ execArgv, env }: Pick<NodeJS.Process, 'execArgv' | 'env'>): boolean =>
  [...execArgv, env['NODE_OPTIONS'] ?? ''].some((word) => word.includes('--inspect'));

/**
 * Throws if SIGUSR1 opened the debugger before a listener was set and Node was not started to be inspected.
 * Closing it would wait for connected clients; executing the program again in this process does not.
 */
export const refuseDebugger = (
  own: Pick<NodeJS.Process, 'execArgv' | 'env'>,
  debugging: Inspector | undefined = inspector(),
): void => {
  if (debugging?.url() !== undefined && !isAskedFor(own))
    throw new Error('SIGUSR1 opened the debugger of Node before it could be refused');
};

/** Ignores SIGUSR1 for good. A program that this process executes finds the default action again. */
export const keepDebuggerClosed = (own: Pick<NodeJS.Process, 'on'>): void => void own.on('SIGUSR1', nothing);
