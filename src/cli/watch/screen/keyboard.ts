// The terminal of this process, for a command that draws over the whole screen.
import type { Keyboard } from '../../world.ts';

type Process = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'on' | 'off' | 'kill' | 'pid'>;

/**
 * They end a program that does not listen, and without an `exit`. SIGINT and SIGTERM have their listeners; who listens to a
 * fault (SIGSEGV and its kin) does not get on to what comes next.
 */
const DEADLY = [
  ...(['SIGHUP', 'SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGVTALRM', 'SIGPROF'] as const),
  ...(['SIGUSR2', 'SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGSTKFLT'] as const),
];

/** First it is heard of, then it is what it is without anybody who listens. */
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

/** Keys come only from a terminal: whatever else is at the standard input is not read. */
const onTyped =
  (own: Process): Keyboard['onTyped'] =>
  (listener) => {
    const { stdin } = own;
    if (!stdin.isTTY) return () => undefined;
    stdin.setRawMode(true).setEncoding('utf8').on('data', listener).resume();
    return () => void stdin.off('data', listener).setRawMode(false).pause();
  };

export const keyboardOf = (own: Process): Keyboard => ({
  // Most commands do not ask, and to open the standard input takes a while.
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
