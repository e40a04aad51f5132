import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { keyboardOf } from '../../../src/cli/watch/keyboard.ts';

/** A process that notes what it sends to itself. */
const own = (): Parameters<typeof keyboardOf>[0] & {
  readonly sent: string[];
  readonly emit: EventEmitter['emit'];
} => {
  const { stdin, stdout } = process;
  const sent: string[] = [];
  const emitter = new EventEmitter();
  return Object.assign(emitter, {
    ...{ stdin, stdout, sent, pid: 7 },
    kill: (pid: number, signal?: string | number) => sent.push(`${pid} ${signal}`) > 0,
  }) as never;
};

describe('signals during the live view', () => {
  it.each(['SIGHUP', 'SIGQUIT', 'SIGALRM', 'SIGUSR2', 'SIGVTALRM', 'SIGIO', 'SIGPWR'])(
    '%s is reported first and then ends the program',
    (signal) => {
      const program = own();
      let heard = 0;
      keyboardOf(program).onExit(() => (heard += 1));
      program.emit(signal, signal);
      expect([heard, program.sent]).toEqual([1, [`7 ${signal}`]]);
      // The second signal has no listener left.
      expect(program.emit(signal, signal)).toBe(false);
    },
  );

  it('signals are reported until no listener is left', () => {
    const program = own();
    let heard = 0;
    const deafen = keyboardOf(program).onExit(() => (heard += 1));
    program.emit('exit');
    deafen();
    expect(['exit', 'SIGHUP', 'SIGQUIT'].map((event) => program.emit(event))).toEqual([false, false, false]);
    expect([heard, program.sent]).toEqual([1, []]);
  });
});

describe('suspension of the live view', () => {
  it.each(['Ctrl-Z', 'SIGTSTP'])(
    '%s leaves the screen, suspends the process group, and enters it again',
    (how) => {
      vi.useFakeTimers();
      const program = own();
      const seen: string[] = [];
      const note = (what: string) => () => seen.push(`${what} after ${program.sent.length} signals`);
      const { suspend, remove } = keyboardOf(program).suspension({
        before: note('left'),
        after: note('entered'),
      });
      if (how === 'SIGTSTP') program.emit('SIGTSTP');
      else suspend();
      // Without a listener the signal has its usual effect.
      expect([seen, program.sent, program.emit('SIGTSTP')]).toEqual([
        ['left after 0 signals'],
        ['0 SIGTSTP'],
        false,
      ]);
      vi.advanceTimersByTime(100);
      expect(seen).toEqual(['left after 0 signals', 'entered after 1 signals']);
      program.emit('SIGCONT');
      expect(seen).toHaveLength(3);
      remove();
      expect(['SIGTSTP', 'SIGCONT'].map((signal) => program.emit(signal))).toEqual([false, false]);
      vi.useRealTimers();
    },
  );
});
