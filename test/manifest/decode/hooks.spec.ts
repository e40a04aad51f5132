import { describe, expect, it } from 'vitest';
import { serviceWith, wrongWith } from '../loading.ts';

describe('hooks', () => {
  it('are taken in both forms at once, Form B by stage and outcome', () => {
    const { hooks } = serviceWith(
      `hooks:
  onstart: { command: a, timeout: 5 }
  onerr: { command: b }
  on_start: { success: { command: c }, error: { command: d } }
  on_stop: { success: { command: e }, error: { command: f } }
  on_restart: { success: { command: g }, error: { command: h, timeout: 100ms } }`,
    );
    expect(hooks).toEqual({
      onstart: { command: 'a', timeout: 5000 },
      onerr: { command: 'b' },
      'on_start.success': { command: 'c' },
      'on_start.error': { command: 'd' },
      'on_stop.success': { command: 'e' },
      'on_stop.error': { command: 'f' },
      'on_restart.success': { command: 'g' },
      'on_restart.error': { command: 'h', timeout: 100 },
    });
  });

  it('may leave out a stage, an outcome, or everything', () => {
    expect(serviceWith('hooks: { on_stop: { error: { command: x } }, on_start: {} }').hooks).toEqual({
      'on_stop.error': { command: 'x' },
    });
  });

  it.each([
    ['hooks: { onstart: {} }', 'ERR0213 hooks.onstart.command: the key "command" is missing'],
    ['hooks: { onerr: echo }', 'ERR0213 hooks.onerr: "echo" is not a map'],
    [
      'hooks: { on_start: { command: x } }',
      'ERR0211 hooks.on_start.command: "command" is not a key of stage',
    ],
    [
      'hooks: { on_stop: { success: { timeout: 1s } } }',
      'ERR0213 hooks.on_stop.success.command: the key "command" is missing',
    ],
  ])('refuse %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});
