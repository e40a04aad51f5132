// The terminal of this process, for a command that draws on the whole screen.
import type { Keyboard } from '../world.ts';

type Process = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'on' | 'off' | 'kill' | 'pid'>;

/**
 * Signals that end a program without listeners, and without an `exit`. SIGINT and SIGTERM have listeners of
 * their own; a listener for a fault (SIGSEGV and the like) cannot continue.
 */
const DEADLY = [
  ...(['SIGHUP', 'SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGVTALRM', 'SIGPROF'] as const),
  ...(['SIGUSR2', 'SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGSTKFLT'] as const),
];

/** Calls the listener first, then lets the signal have its default effect. */
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

/** Reads keys only from a terminal: any other standard input is not read. */
const onTyped =
  (own: Process): Keyboard['onTyped'] =>
  (listener) => {
    const { stdin } = own;
    if (!stdin.isTTY) return () => undefined;
    stdin.setRawMode(true).setEncoding('utf8').on('data', listener).resume();
    return () => void stdin.off('data', listener).setRawMode(false).pause();
  };

export const keyboardOf = (own: Process): Keyboard => ({
  // Read on demand: most commands do not ask, and opening standard input takes time.
  get isThere() {
    return own.stdin.isTTY;
  },
  onTyped: onTyped(own),
  onResize: (listener) => {
    own.stdout.on('resize', listener);
    return () => own.stdout.off('resize', listener);
  },
  onExit: onExit(own),
});
