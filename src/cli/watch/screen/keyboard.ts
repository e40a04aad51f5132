// The terminal of this process, for a command that draws over the whole screen.
import type { Keyboard } from '../../world.ts';

type Process = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'on' | 'off'>;

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
  onExit: (listener) => {
    own.on('exit', listener);
    return () => own.off('exit', listener);
  },
});
