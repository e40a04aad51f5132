// Signals that come while nobody can do yet what they ask for, or can no more: they are noted instead of ending the process.
// A program starts as one text that loads another, so what was noted lies where both find it.

type Noted = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

interface Ears {
  readonly noted: Noted[];
  readonly close: () => void;
}

const PLACE = Symbol.for('sup.signals');
const NOTED: readonly Noted[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];
/** By default it ends the process, and nobody here asks anything by it. */
const IGNORED = 'SIGUSR2';

type Target = Pick<NodeJS.EventEmitter, 'on' | 'off'>;

const opened = (target: Target): Ears => {
  const noted: Noted[] = [];
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

/** From now on, until somebody asks for them. */
export const hearEarly = (target: Target): void => {
  if (!Reflect.has(globalThis, PLACE)) Reflect.set(globalThis, PLACE, opened(target));
};

/** What came meanwhile, in order. Whoever asks listens already: from now on nobody else does. */
export const heardEarly = (): readonly Noted[] => {
  const ears = Reflect.get(globalThis, PLACE) as Ears | undefined;
  Reflect.deleteProperty(globalThis, PLACE);
  ears?.close();
  return ears?.noted ?? [];
};
