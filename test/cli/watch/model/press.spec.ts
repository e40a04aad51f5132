import { describe, expect, it } from 'vitest';
import { possibleKeys } from '../../../../src/cli/watch/model/all-keys.ts';
import { press } from '../../../../src/cli/watch/model/press.ts';
import { after, FIRST_SCENE, type Scene, selectedRow } from '../../../../src/cli/watch/model/scene.ts';
import { keysIn } from '../../support/typed.ts';
import { projectOf, serviceOf } from '../../support/documents.ts';

const names = Array.from({ length: 30 }, (_, at) => `s${at}`);
const hello = { protocol: 3, version: '0.1.0', pid: 4, since: '' };

const sceneOf = (services = names.map((name) => serviceOf({ name }))): Scene =>
  after(after(FIRST_SCENE, { tag: 'found', hello, again: false }), {
    ...{ tag: 'seen', view: { full: true, projects: [projectOf(services)], gone: [] } },
  });

const WITH_GROUP = ['db', 'web@1', 'web@2', 'zip'].map((name) => serviceOf({ name }));

const typing = (typed: string, scene = sceneOf()): ReturnType<typeof press> => press(scene, keysIn(typed));
const selected = (typed: string, scene = sceneOf()): string | undefined =>
  selectedRow(typing(typed, scene).scene)?.id;

describe('the keys of the live view', () => {
  it.each([
    ['\u001b[B', 's1'],
    ['jjj\u001b[A', 's2'],
    ['k', 's0'],
    ['\u001b[B\u001b[B', 's2'],
    ['\u001b[6~', 's11'],
    ['G', 's29'],
    ['\u001b[F\u001b[B', 's29'],
    ['Gg', 's0'],
    ['G\u001b[5~\u001b[H', 's0'],
  ])('the keys %j select the service %s', (typed, service) => {
    expect(selected(typed)).toBe(`shop/${service}`);
  });

  it.each([
    ['q', ['quit']],
    ['\u0003', ['quit']],
    ['lq', ['quit']],
    ['r\u0003', ['quit']],
    ['/q', []],
    ['\u001a', ['suspend']],
    ['r', []],
    ['rn', []],
    ['ssy', []],
    ['?r', []],
    ['x\u001b[20~', []],
  ])('the keys %j request %j', (typed, types) => {
    expect(typing(typed).intents.map(({ type }) => type)).toEqual(types);
  });

  it('keys ask before they change a service, and only y confirms', () => {
    expect(typing('js').scene.pending).toEqual({ type: 'stop', row: 'shop/s1' });
    const { scene, intents } = typing('jry');
    const action = { type: 'restart', row: 'shop/s1' };
    expect(intents).toEqual([{ type: 'act', action }]);
    expect([scene.pending, scene.busy]).toEqual([undefined, [action]]);
    for (const no of ['n', 'j', '\r', '\u001b']) expect(typing(`s${no}`).intents).toEqual([]);
    expect(selected('sj')).toBe('shop/s0');
  });

  it('keys for actions say why they do nothing without a supervisor, and are not offered', () => {
    const error = { code: 'ERR0206', message: 'none', path: null, at: null, hint: null } as const;
    const alone = after(sceneOf(), { tag: 'lost', error });
    expect(typing('ry', alone).intents).toEqual([]);
    expect(typing('r', alone).scene.remark?.text).toContain('no supervisor is connected');
    expect(possibleKeys(alone).flatMap(({ keys }) => keys)).not.toContain('s');
  });

  it('keys open and close the panes, one level at a time', () => {
    const level = (typed: string): string => {
      const { pane, focus, isZoomed, filter, log } = typing(typed).scene;
      return [pane, focus, isZoomed ? 'whole' : '', filter, log.search].filter(Boolean).join(' ');
    };
    const esc = '\u001b';
    expect(level('l')).toBe('logs pane');
    expect(level('\r')).toBe('why pane');
    expect(level('l\t')).toBe('logs services');
    expect(level('l\t\t')).toBe('logs pane');
    expect(level('/s1\rlz/x\r')).toBe('logs pane whole s1 x');
    expect(level(`/s1\rlz/x\r${esc}`)).toBe('logs pane whole s1');
    expect(level(`/s1\rlz/x\r${esc}${esc}`)).toBe('logs pane s1');
    expect(level(`/s1\rlz/x\r${esc}${esc}${esc}`)).toBe('events services s1');
    expect(level(`/s1\rlz/x\r${esc}${esc}${esc}${esc}`)).toBe('events services');
  });

  it('keys type a filter, which is erased by letters, as a whole, and by Escape', () => {
    const filter = (typed: string): string => typing(typed).scene.filter;
    expect(filter('/ab\u007fc')).toBe('ac');
    expect(filter('/ab\u0015c')).toBe('c');
    expect(filter('/ab\u001b')).toBe('');
    expect(filter('/qrs?\r')).toBe('qrs?');
    expect(selected('jj/s29\r')).toBe('shop/s29');
    expect(selected('/s\u001b[B\u001b[B\r')).toBe('shop/s2');
    expect(typing('/s1\rj').scene.typing).toBeUndefined();
  });

  it('keys expand and collapse a service with replicas, and scale it', () => {
    const scene = sceneOf(WITH_GROUP);
    const listed = (typed: string): readonly string[] =>
      typing(typed, scene).scene.rows.map(({ id }) => id.slice('shop/'.length));
    expect(listed('')).toEqual(['db', 'web', 'zip']);
    for (const keys of ['j\r', 'j\u001b[C', 'v']) expect(listed(keys)).toContain('web@2');
    for (const keys of ['j\r\r', 'j\u001b[C\u001b[D', 'vv', 'j\rjj\u001b[D'])
      expect(listed(keys)).toHaveLength(3);
    expect(selected('j\rjj\u001b[D', scene)).toBe('shop/web');
    const scaled = { type: 'scale', row: 'shop/web', from: 2, replicas: 3 };
    expect(typing('j+y', scene).intents).toEqual([{ type: 'act', action: scaled }]);
    expect(typing('+y', scene).intents).toEqual([]);
  });

  it('keys of a group that is collapsed by the supervisor keep its row selected', () => {
    const open = typing('vjj', sceneOf(WITH_GROUP)).scene;
    expect(selectedRow(open)?.id).toBe('shop/web@1');
    expect(selected('v', open)).toBe('shop/web');
  });

  it('keys in the help line all do something, wherever the user is', () => {
    for (const typed of ['', 'l', '\r', '\t', 'j', 'lz', '/s1\r', 'o', 'l/x\r']) {
      const { scene } = typing(typed);
      for (const { keys, hint } of possibleKeys(scene)) {
        if (hint === undefined) continue;
        const changed = keys.map((key) => press(scene, [key]));
        expect([
          typed,
          changed.some((pressed) => pressed.scene !== scene || pressed.intents.length > 0),
        ]).toEqual([typed, true]);
      }
    }
  });

  it('keys request nothing without a service', () => {
    for (const typed of ['ry', 'sy', '\r', 'l']) expect(typing(typed, sceneOf([])).intents).toEqual([]);
  });
});
