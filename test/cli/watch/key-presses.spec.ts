import { describe, expect, it } from 'vitest';
import { FIRST_UI, keysIn, placeOf, press, type Pressed } from '../../../src/cli/watch/key-presses.ts';

const ids = Array.from({ length: 30 }, (_, at) => `shop/s${at}`);

const typing = (typed: string, services = ids): Pressed =>
  keysIn(typed).reduce<Pressed>(({ ui }, key) => press(ui, key, services), { ui: FIRST_UI });

describe('the keys of the live view', () => {
  it.each([
    ['\u001b[B', 's1'],
    ['jjj\u001b[A', 's2'],
    ['k', 's0'],
    ['\u001bOB\u001bOB', 's2'],
    ['\u001b[6~', 's10'],
    ['G', 's29'],
    ['\u001b[F\u001b[B', 's29'],
    ['Gg', 's0'],
    ['G\u001b[5~\u001b[H', 's0'],
  ])('the keys %j select the service %s', (typed, selected) => {
    expect(typing(typed).ui.selected).toBe(`shop/${selected}`);
  });

  it.each([
    ['q', { type: 'quit' }],
    ['\u0003', { type: 'quit' }],
    ['l\u0003', { type: 'quit' }],
    ['jl', { type: 'open-logs', service: 'shop/s1' }],
    ['l\u001b', { type: 'close-logs' }],
    ['lq', { type: 'close-logs' }],
    ['r', undefined],
    ['ry', { type: 'restart', service: 'shop/s0' }],
    ['jjsy', { type: 'stop', service: 'shop/s2' }],
    ['rn', undefined],
    ['ssy', undefined],
    ['s\u0003', { type: 'quit' }],
    ['j\r', { type: 'open-why', service: 'shop/s1' }],
    ['\r\u001b', undefined],
    ['ls', undefined],
    ['?r', undefined],
    ['x', undefined],
    ['\u001b[20~', undefined],
  ])('the keys %j request %j', (typed, intent) => {
    expect(typing(typed).intent).toEqual(intent);
  });

  it('keys open the help and the logs, and close them', () => {
    expect(['?', '?x', 'l', 'l\u001b', 'lj', '\r', '\r\u001b'].map((typed) => typing(typed).ui.page)).toEqual(
      ['help', 'services', 'logs', 'services', 'logs', 'why', 'services'],
    );
  });

  it('keys ask before they stop or restart, and name the service', () => {
    expect(typing('js').ui.pending).toEqual({ type: 'stop', service: 'shop/s1' });
    for (const typed of ['sn', 'sy', 'sj']) expect(typing(typed).ui.pending).toBeUndefined();
    expect(typing('sj').ui.selected).toBe('shop/s0');
  });

  it('the key v lists instances one by one, and selects their row when they are listed together again', () => {
    const listed = ['shop/db', 'shop/web', 'shop/web@1', 'shop/web@2'];
    expect(['v', 'vv'].map((typed) => typing(typed).ui.unfolded)).toEqual([true, false]);
    const { ui } = typing('Gs', listed);
    expect(ui.pending?.service).toBe('shop/web@2');
    expect(placeOf(ui, listed.slice(0, 2))).toBe(1);
  });

  it('keys request nothing without a service', () => {
    for (const typed of ['r', 's', 'l', 'j']) expect(typing(typed, [])).toEqual({ ui: FIRST_UI });
  });

  it('keys that arrive in one piece are separated', () => {
    expect(keysIn('j\u001b[A\u001b[5~\u001bq')).toEqual(['j', 'up', 'page-up', 'escape', 'q']);
  });
});
