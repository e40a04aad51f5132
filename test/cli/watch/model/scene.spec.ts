import { describe, expect, it } from 'vitest';
import {
  after,
  FIRST_SCENE,
  type SceneInput,
  type Scene,
  shownEvents,
} from '../../../../src/cli/watch/model/scene.ts';
import { press } from '../../../../src/cli/watch/model/press.ts';
import { projectId, serviceId } from '../../../../src/streams/domain/ids.ts';
import { instant, type Instant } from '../../../../src/streams/domain/time.ts';
import type { Bucket } from '../../../../src/streams/metrics/bucket.ts';
import { eventOf, NOW, projectOf, serviceOf } from '../../support/documents.ts';

const seen = (...names: readonly string[]): SceneInput => {
  const services = names.map((name) => serviceOf({ name, cpu_percent: 9 }));
  return { tag: 'seen', view: { full: true, projects: [projectOf(services)], gone: [] } };
};
const hello = { protocol: 3, version: '0.1.0', pid: 4, since: '' };
const error = { code: 'ERR0206', message: 'no supervisor', path: null, at: null, hint: null } as const;
const found: SceneInput = { tag: 'found', hello, again: false };

const scene = (...inputs: readonly SceneInput[]): Scene => inputs.reduce(after, FIRST_SCENE);

describe('the scene of the live view', () => {
  it('recent events are those of the selection, and all without one', () => {
    const events = [
      eventOf(),
      eventOf({ service: 'db' }),
      eventOf({ project: null, service: null, kind: 'supervisor' }),
    ];
    const after = scene(seen('web'), { tag: 'happened', events });
    expect(shownEvents(after)).toEqual(events);
    expect(shownEvents({ ...after, isWhole: false })).toEqual(events.slice(0, 1));
  });

  it('the newest events are kept up to a limit', () => {
    const events = Array.from({ length: 1_500 }, (_, at) => eventOf({ pid: at }));
    const { happened } = scene({ tag: 'happened', events });
    expect([happened.length, happened.at(-1)?.pid]).toEqual([1_000, 1_499]);
  });

  it('records are shown only while no supervisor is connected', () => {
    const records: SceneInput = { tag: 'recorded', projects: [projectOf([serviceOf({ name: 'old' })])] };
    const names = (...inputs: readonly SceneInput[]) => [...scene(...inputs).model.services.keys()];
    expect(names({ tag: 'lost', error }, records)).toEqual(['shop/old']);
    expect(names({ tag: 'lost', error }, records, found, seen('web'))).toEqual(['shop/web']);
    expect(names(found, seen('web'), records)).toEqual(['shop/web']);
    expect(names(found, seen('web'), { tag: 'lost', error }, records)).toEqual(['shop/old']);
  });

  it('a pane is emptied when another service is selected, and late answers about the first are dropped', () => {
    const entry = { at: '', stream: 'stdout', text: 'x', continues: false };
    const lines = (of: string): SceneInput => ({ tag: 'logged', of, entries: [entry], isFirst: false });
    const open = press(scene(found, seen('db', 'web')), ['l', '\t']).scene;
    const read = after(open, lines('shop/db'));
    expect(read.log).toMatchObject({ of: 'shop/db', entries: [entry] });
    const other = press(read, ['j']).scene;
    expect(other.log).toMatchObject({ of: 'shop/web', entries: [] });
    expect(after(other, lines('shop/db'))).toEqual(other);
    const why = press(other, ['\r']).scene;
    expect(after(why, { tag: 'explained', of: 'shop/db', answer: 'late' }).why.answer).toBeUndefined();
    expect(after(why, { tag: 'explained', of: 'shop/web', answer: 'why' }).why.answer).toBe('why');
  });

  it('the result of an action is shown, and ends it', () => {
    const { scene: busy, intents } = press(scene(found, seen('web')), ['r', 'y']);
    const [intent] = intents;
    if (intent?.type !== 'act') throw new Error('no action');
    const remark = { text: '1 service restarted: shop/web', ink: 'green' } as const;
    const done = after(busy, { tag: 'acted', action: intent.action, remark });
    expect([busy.busy.length, done.busy.length, done.remark]).toEqual([1, 0, remark]);
    expect(press(done, ['j']).scene.remark).toBeUndefined();
  });

  it('trends begin with existing samples and continue with the views', () => {
    const spread = (amount: number): Bucket['cpu'] => ({ count: 1, min: amount, sum: amount, max: amount });
    const at = (ago: number): Instant => instant(NOW - ago);
    const point = (ago: number, cpu: number): Bucket => ({
      ...{ from: at(ago), to: at(ago) },
      ...{ cpu: spread(cpu), rss: spread(cpu * 1_000) },
    });
    const answer = {
      ...{ now: instant(NOW), spillover: null },
      services: [{ id: serviceId(projectId('shop'), 'web'), points: [point(4_000, 1), point(2_000, 3)] }],
    };
    const { trends } = scene(seen('web'), { tag: 'sampled', answer }, { tag: 'second', now: NOW });
    expect(trends.get('shop/web')).toEqual({
      cpu: [1, 1, 3, 3, 9],
      memory: [1_000, 1_000, 3_000, 3_000, undefined],
    });
  });
});
