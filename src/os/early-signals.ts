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

/** Among the words of the next program in this process: what this one has heard, and could not do any more. */
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

/** From now on, until somebody asks for them. `words`: of this program; what the one before it heard comes first. */
export const hearEarly = (target: Target, words: readonly string[] = []): void => {
  if (!Reflect.has(globalThis, PLACE)) Reflect.set(globalThis, PLACE, opened(target, heardIn(words)));
};

/** What came meanwhile, in order. Whoever asks listens already: from now on nobody else does. */
export const heardEarly = (): readonly Noted[] => {
  const ears = Reflect.get(globalThis, PLACE) as Ears | undefined;
  Reflect.deleteProperty(globalThis, PLACE);
  ears?.close();
  return ears?.noted ?? [];
};
