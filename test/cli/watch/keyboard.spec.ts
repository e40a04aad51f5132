import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
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
