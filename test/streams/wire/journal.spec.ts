import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshService, type Service } from '../../../src/streams/domain/service/service.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { idOfRecord, lineOf, replay, type Records } from '../../../src/streams/wire/journal.ts';
import { idOf, specOf } from '../../support/spec.ts';
import { withRollout } from '../../../src/streams/rollout/two-runs.ts';
import { NOW, serviceIn, STATES, TAGS } from '../../support/states.ts';

const WEB = idOf('web');
const fresh = freshService(specOf('web'));
const entry = (at: number) =>
  ({ at: instant(at), from: 'down', to: 'waiting', cause: 'start' }) satisfies Service['history'][number];
const textOf = (before: Service | undefined, now: Service | undefined): string => {
  const line = lineOf(WEB, before, now);
  return line === undefined ? '' : `${JSON.stringify(line)}\n`;
};
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a journal line', () => {
  it('a journal line has the changed fields of a service, and the new entries of its lists', () => {
    const history = [entry(1), entry(2), entry(3)];
    const before: Service = { ...fresh, history };
    const now: Service = { ...before, attempts: 2, history: [...history.slice(1), entry(4)] };
    expect(lineOf(WEB, before, now)).toEqual({
      service: WEB,
      set: { attempts: 2 },
      grow: { history: { skip: 1, add: [entry(4)] } },
    });
  });

  it('a journal line names dropped fields and removed services', () => {
    const before: Service = { ...fresh, slot: '8001' };
    const { slot: _slot, ...now } = before;
    expect(lineOf(WEB, before, now)).toEqual({ service: WEB, drop: ['slot'] });
    expect(lineOf(WEB, before, undefined)).toEqual({ service: WEB, gone: true });
    expect(lineOf(WEB, before, before)).toBeUndefined();
  });

  it('a journal line also has the fields that programs before D-122 read in the second run of a rollout', () => {
    const rolled = withRollout(serviceIn('up'), NOW, false);
    const { rollout: _, ...before } = rolled;
    const other = { ...rolled.rollout?.other, resume: false, leaving: false, gate: 'none', awaitedBy: [] };
    const rollout = { ...rolled.rollout, other };
    expect(lineOf(WEB, before, rolled)).toEqual({ service: WEB, set: { rollout } });
    expect(lineOf(WEB, undefined, rolled)).toEqual({
      service: WEB,
      whole: true,
      set: { ...rolled, rollout },
    });
  });

  it('a service in any state is restored unchanged from its journal lines', () => {
    const changes = fc.record(
      {
        actual: fc.constantFrom(...TAGS).map((tag) => STATES[tag]),
        attempts: fc.nat(9),
        slot: fc.constantFrom('1', '2'),
        moves: fc.nat(3),
        forgets: fc.nat(3),
        leaves: fc.constant(true),
      },
      { requiredKeys: ['moves', 'forgets'] },
    );
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 30 }), (steps) => {
        const records: Records = new Map();
        let now: Service | undefined;
        let at = 0;
        for (const { moves, forgets, leaves, ...rest } of steps) {
          const before = now;
          const history = [
            ...(before?.history ?? []).slice(forgets),
            ...Array.from({ length: moves }, () => entry((at += 1))),
          ];
          const { slot: _slot, ...base } = before ?? fresh;
          now = leaves === true ? undefined : { ...base, ...rest, history };
          expect(replay(records, textOf(before, now))).toEqual({ bad: 0 });
          expect(records.get(WEB)).toEqual(now === undefined ? undefined : plain(now));
        }
      }),
    );
  });
});

describe('the reading of a journal', () => {
  const begun = (): Records => new Map([[WEB, plain(fresh)]]);

  it('a journal ends before a truncated line', () => {
    const records = begun();
    const whole = textOf(fresh, { ...fresh, attempts: 1 });
    const cut = textOf(fresh, { ...fresh, attempts: 2 }).slice(0, -1);
    for (let length = 0; length <= cut.length; length += 1) {
      expect(replay(records, whole + cut.slice(0, length))).toEqual({ bad: 0 });
      expect(records.get(WEB)).toMatchObject({ attempts: 1 });
    }
  });

  it('a journal continues after an unreadable line and counts it', () => {
    const records = begun();
    expect(replay(records, `garbage\n[]\n${textOf(fresh, { ...fresh, attempts: 3 })}`)).toEqual({ bad: 2 });
    expect(records.get(WEB)).toMatchObject({ attempts: 3 });
  });

  it('the reading of a journal ends at the line that names the next journal', () => {
    const records = begun();
    const after = textOf(fresh, { ...fresh, attempts: 4 });
    expect(replay(records, `{"next":"b"}\n${after}`)).toEqual({ next: 'b', bad: 0 });
    expect(records.get(WEB)).toMatchObject({ attempts: 0 });
  });

  it('a journal ignores a record without a name', () => {
    expect(idOfRecord(plain(fresh))).toBe(WEB);
    expect(idOfRecord({ spec: 1 })).not.toBe(idOfRecord({ spec: 1 }));
  });
});
