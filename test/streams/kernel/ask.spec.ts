import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import type { Confinement } from '../../../src/streams/domain/service/ancestry.ts';
import { requestId, runId } from '../../../src/streams/domain/ids.ts';
import { ancestor, lineTo, nursery, processOf, shown, web } from '../../support/nursery.ts';

const stranger = [ancestor({ pid: 9, startTicks: 9 })];

describe('a request for a child', () => {
  it('a request for a child is answered when the child runs, not before', () => {
    const { sup, children } = nursery();
    const request = sup.ask({ type: 'spawn', order: { argv: ['work', 'hard'], name: 'a' } });
    sup.post({ type: 'traced', request: requestId(request), ancestry: shown(lineTo(1)) });
    const asked = sup.drain();
    expect(asked).toMatchObject([
      { type: 'spawn', service: web, run: 2, child: 'a', spec: { launch: { argv: ['work', 'hard'] } } },
    ]);
    sup.post({ type: 'spawned', service: web, run: runId(2), process: processOf(2) });
    expect(sup.replies()).toMatchObject([
      { ok: true, done: { child: { service: web, name: 'a', run: 2, pid: 1_002, depth: 1 } } },
    ]);
    expect(children()).toMatchObject([{ name: 'a', parent: 1, actual: { tag: 'starting' } }]);
    expect(sup.state().requests).toEqual({});
  });

  it('a request for a child fails with the reason of a failed start, which is remembered', () => {
    const { sup, ask, children } = nursery();
    ask(1, { name: 'a' });
    const error = { code: 'ERR0113', service: web, detail: 'no such file' } as const;
    sup.post({ type: 'spawn-failed', service: web, run: runId(2), error });
    expect(sup.replies()).toEqual([{ ok: false, error }]);
    expect(children()).toEqual([]);
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, pastChildren: [{ name: 'a', error }] });
  });

  it.each([
    ['a stranger', { line: stranger }],
    ['nobody at all', { line: [] }],
    ['a pid that was given to another', { line: [ancestor({ ...processOf(1), startTicks: 99 })] }],
    ['one whose environment names another run', { line: lineTo(1), unit: 'shop/db#1' }],
    ['another user', { line: lineTo(1, 1000) }],
  ])(
    'a request for a child is refused: %s',
    (_, { line, unit }: { line: ReturnType<typeof lineTo>; unit?: string }) => {
      const { ask, children } = nursery();
      expect(ask(1, unit === undefined ? {} : { unit }, line)).toBe('ERR0401');
      expect(children()).toEqual([]);
    },
  );

  it('a request for a child is accepted if environment and ancestry agree', () => {
    expect(nursery().ask(1, { unit: 'shop/web#1' })).toBeUndefined();
  });

  it('a request for a child is refused by a static service, and if the caller is unknown', () => {
    expect(nursery({ mode: 'static' }).ask(1)).toBe('ERR0402');
    const { sup } = nursery();
    const request = sup.ask({ type: 'spawn', order: { argv: ['work'] } });
    const ancestry = { tag: 'unknown', detail: 'no library' } as const;
    sup.post({ type: 'traced', request: requestId(request), ancestry });
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0406', detail: 'no library' } }]);
  });

  it('a request for a child is refused while its service or parent child is ending', () => {
    const one = nursery();
    const a = one.begin(1, 'a');
    one.exit(a);
    expect(one.ask(a)).toBe('ERR0407');
    one.sup.ask({ type: 'stop', selection: {} });
    expect(one.ask(1)).toBe('ERR0407');
  });

  it('the parent of a requested child is the nearest run among the ancestors of the caller', () => {
    const { ask, begin, children } = nursery();
    const a = begin(1, 'a');
    const line = [ancestor({ pid: 7_000, startTicks: 70 }), ancestor(processOf(a)), ...lineTo(1).slice(1)];
    expect(ask(1, { name: 'b' }, line)).toBeUndefined();
    expect(children()).toMatchObject([{ name: 'a' }, { name: 'b', parent: a }]);
  });
});

const ASKS = { pid: 7_000, startTicks: 70 };
const asWww: Partial<ServiceSpec> = { privilege: { user: 'www', supplementaryGroups: [] } };

describe('the declared user of a service', () => {
  it('the declared user decides which callers are allowed, not the user of an assumed main process', () => {
    const adopted = [ancestor(ASKS, 65_534), ancestor(processOf(1), 65_534)];
    expect(nursery().ask(1, {}, adopted)).toBe('ERR0401');
    expect(nursery({}, asWww).ask(1, {}, shown(adopted, { www: 33 }))).toBe('ERR0401');
  });

  it('the declared user may request children if caller and main process have all its uids', () => {
    const line = [ancestor(ASKS, 33), ancestor(processOf(1), 33)];
    expect(nursery({}, asWww).ask(1, {}, shown(line, { www: 33 }))).toBeUndefined();
    expect(nursery({}, asWww).ask(1, {}, line)).toBe('ERR0401');
    const root = [ancestor(ASKS), ancestor(processOf(1))];
    expect(nursery({}, asWww).ask(1, {}, shown(root, { www: 33 }))).toBe('ERR0401');
  });

  it.each([
    ['the caller', [65_534, 0, 0, 0], [0, 0, 0, 0]],
    ['the caller, when it connected', [65_534, 0, 0, 0, 0], [0, 0, 0, 0]],
    ['the main process', [0, 0, 0, 0], [0, 0, 65_534, 0]],
  ])('a set-user-id caller is refused a child if one of its uids differs: of %s', (_, asks, leader) => {
    const line = [
      { ...ASKS, uids: asks, confinement: {} },
      { ...processOf(1), uids: leader, confinement: {} },
    ];
    expect(nursery().ask(1, {}, line)).toBe('ERR0401');
  });
});

describe('a caller with stricter confinement than its service', () => {
  const refusal = (asks: Confinement | undefined, leader: Confinement): unknown => {
    const { sup } = nursery();
    const request = sup.ask({ type: 'spawn', order: { argv: ['work'] } });
    const first = { ...ASKS, uids: [0], ...(asks && { confinement: asks }) };
    const ancestry = shown([first, ancestor(processOf(1), 0, leader)]);
    sup.post({ type: 'traced', request: requestId(request), ancestry });
    const [reply] = sup.replies();
    return reply?.ok === false ? reply.error : undefined;
  };

  it('a caller with stricter confinement gets no child, and the error names the difference', () => {
    const leader = { NoNewPrivs: '0', 'ns/net': 'net:[1]', Groups: '' };
    expect(refusal({ ...leader, NoNewPrivs: '1', Groups: '4 5' }, leader)).toEqual({
      code: 'ERR0408',
      of: web,
      differences: [
        { what: 'NoNewPrivs', asks: '1', leader: '0' },
        { what: 'Groups', asks: '4 5', leader: '' },
      ],
    });
    expect(refusal({ ...leader, 'ns/net': 'net:[2]' }, leader)).toMatchObject({
      differences: [{ what: 'ns/net', asks: 'net:[2]', leader: 'net:[1]' }],
    });
  });

  it('a caller whose confinement cannot be read gets no child', () => {
    expect(refusal(undefined, {})).toEqual({ code: 'ERR0408', of: web, differences: [] });
  });

  it('a caller may have forked into the namespace of its service', () => {
    const leader = { 'ns/pid': 'pid:[1]', 'ns/pid_for_children': 'pid:[2]' };
    const inside = { 'ns/pid': 'pid:[2]', 'ns/pid_for_children': 'pid:[2]' };
    expect(refusal(inside, leader)).toBeUndefined();
    expect(refusal({ ...inside, 'ns/pid_for_children': 'pid:[3]' }, leader)).toMatchObject({
      differences: [{ what: 'ns/pid_for_children' }],
    });
  });
});

describe('a new child', () => {
  it('a new child has the first free name of its parent and an unused run number', () => {
    const { begin, ask, names, exit, gone, sup } = nursery();
    ask(1);
    ask(1);
    expect(names()).toEqual(['child-1', 'child-2']);
    expect(ask(1, { name: 'child-2' })).toBe('ERR0405');
    const three = begin(1, 'c');
    expect(begin(three, 'child-1')).toBe(5);
    exit(5);
    gone(5);
    expect(begin(1, 'd')).toBe(6);
    expect(sup.service('web')).toMatchObject({ runs: 1, numbered: 6 });
  });

  it('a new child is refused at each limit: per parent, levels, total', () => {
    const one = nursery({ children: 2, depth: 2, descendants: 4 });
    const a = one.begin(1, 'a');
    const b = one.begin(1, 'b');
    expect(one.ask(1)).toBe('ERR0403');
    const c = one.begin(a, 'c');
    expect(one.ask(c)).toBe('ERR0403');
    one.begin(b, 'd');
    expect(one.ask(b)).toBe('ERR0403');
    one.exit(c);
    expect(one.ask(b)).toBe('ERR0403');
    one.gone(c);
    expect(one.ask(b)).toBeUndefined();
  });

  it('the eleventh child of one parent within a second is refused, but not of another parent or later', () => {
    const { ask, begin, sup } = nursery();
    const a = begin(1, 'a');
    for (let more = 0; more < 9; more += 1) expect(ask(1)).toBeUndefined();
    sup.pass(400);
    const request = sup.ask({ type: 'spawn', order: { argv: ['work'] } });
    sup.post({ type: 'traced', request: requestId(request), ancestry: shown(lineTo(1)) });
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0404', of: web, wait: 600 } }]);
    sup.drain();
    expect(ask(a)).toBeUndefined();
    sup.pass(599);
    expect(ask(1)).toBe('ERR0404');
    sup.pass(1);
    expect(ask(1)).toBeUndefined();
  });
});
