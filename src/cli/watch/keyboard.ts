// Access to the terminal of this process for the live view: typed keys, changes of the size, suspension, and
// the end of the process.
import type { Keyboard } from '../process-ports.ts';

type Process = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'on' | 'off' | 'kill' | 'pid'>;

/** Signals that end a process without an `exit` event. Faults such as SIGSEGV cannot be listened for. */
const DEADLY = [
  ...(['SIGHUP', 'SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGVTALRM', 'SIGPROF'] as const),
  ...(['SIGUSR2', 'SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGSTKFLT'] as const),
];

/**
 * Calls the listener when the process exits, or when a signal of `DEADLY` is about to end it. Returns a
 * function that removes the listener.
 */
const onExit =
  (own: Process): Keyboard['onExit'] =>
  (listener) => {
    const deafen = (): void => {
      own.off('exit', listener);
      DEADLY.forEach((signal) => own.off(signal, die));
    };
    const die = (signal: NodeJS.Signals): void => {
      listener();
      deafen();
      own.kill(own.pid, signal);
    };
    own.on('exit', listener);
    DEADLY.forEach((signal) => own.on(signal, die));
    return deafen;
  };

/** Calls the listener for each text that the user types. If standard input is no terminal, it is not read. */
const onTyped =
  (own: Process): Keyboard['onTyped'] =>
  (listener, onLost = () => undefined) => {
    const { stdin } = own;
    if (!stdin.isTTY) return () => undefined;
    stdin.setRawMode(true).setEncoding('utf8').on('data', listener).resume();
    stdin.on('end', onLost).on('error', onLost);
    return () => {
      stdin.off('data', listener).off('end', onLost).off('error', onLost);
      stdin.setRawMode(false).pause();
    };
  };

/** Maximum time between sending the stop signal and the stop of this process, ms. */
const STOPPED_WITHIN_MS = 50;

/**
 * Suspends the process when SIGTSTP arrives or `suspend` is called. Calls `before`, which gives the terminal
 * back, and later `after`, which takes the terminal again.
 */
const suspension =
  (own: Process): Keyboard['suspension'] =>
  ({ before, after }) => {
    const { stdin } = own;
    const raw = (on: boolean): void => {
      if (stdin.isTTY) stdin.setRawMode(on);
    };
    const resumed = (): void => {
      raw(true);
      after();
    };
    const suspend = (): void => {
      own.off('SIGTSTP', suspend);
      before();
      raw(false);
      own.kill(0, 'SIGTSTP');
      // If the process has no shell that could continue it, the kernel ignores the stop signal. The process
      // then goes on after this time and draws the view again.
      setTimeout(() => {
        own.on('SIGTSTP', suspend);
        resumed();
      }, STOPPED_WITHIN_MS);
    };
    own.on('SIGTSTP', suspend).on('SIGCONT', resumed);
    return { suspend, remove: () => void own.off('SIGTSTP', suspend).off('SIGCONT', resumed) };
  };

export const keyboardOf = (own: Process): Keyboard => ({
  // This is a getter, because most commands do not need the value, and `own.stdin` takes time: it opens
  // standard input.
  get isThere() {
    return own.stdin.isTTY;
  },
  onTyped: onTyped(own),
  onResize: (listener) => {
    own.stdout.on('resize', listener);
    return () => own.stdout.off('resize', listener);
  },
  onExit: onExit(own),
  suspension: suspension(own),
});
