import { describe, expect, it } from 'vitest';
import {
  FIRST_SCENE,
  happened,
  logged,
  sampled,
  sawView,
  secondPassed,
  shownEvents,
} from '../../../src/cli/watch/scene.ts';
import { projectId, serviceId } from '../../../src/streams/domain/ids.ts';
import { instant, type Instant } from '../../../src/streams/domain/time.ts';
import type { Bucket } from '../../../src/streams/metrics/bucket.ts';
import { eventOf, NOW, projectOf, serviceOf } from '../support/documents.ts';

const full = { full: true, projects: [projectOf([serviceOf({ cpu_percent: 9 })])], gone: [] };

describe('recent events of the live view', () => {
  it('recent events are those of the selection, and all without one', () => {
    const events = [
      eventOf(),
      eventOf({ service: 'db' }),
      eventOf({ project: null, service: null, kind: 'supervisor' }),
    ];
    const scene = happened(sawView(FIRST_SCENE, full), events);
    expect(shownEvents(scene)).toEqual(events);
    expect(shownEvents({ ...scene, isWhole: false })).toEqual(events.slice(0, 1));
  });

  it('the newest events are kept up to a limit', () => {
    const events = Array.from({ length: 1_500 }, (_, at) => eventOf({ pid: at }));
    const scene = happened(FIRST_SCENE, events);
    expect([scene.happened.length, scene.happened.at(-1)?.pid]).toEqual([1_000, 1_499]);
    const entry = { at: '', stream: 'stdout', text: 'x', continues: false };
    const flooded = logged(
      FIRST_SCENE,
      Array.from({ length: 900 }, () => entry),
    );
    expect(flooded.ui.log).toHaveLength(500);
  });
});

describe('trends of the live view', () => {
  it('trends begin with existing samples and continue with the views', () => {
    const spread = (amount: number): Bucket['cpu'] => ({ count: 1, min: amount, sum: amount, max: amount });
    const at = (ago: number): Instant => instant(NOW - ago);
    const point = (ago: number, cpu: number): Bucket => ({
      from: at(ago),
      to: at(ago),
      cpu: spread(cpu),
      rss: spread(cpu * 1_000),
    });
    const answer = {
      now: instant(NOW),
      spillover: null,
      services: [{ id: serviceId(projectId('shop'), 'web'), points: [point(4_000, 1), point(2_000, 3)] }],
    };
    const scene = secondPassed(sampled(sawView(FIRST_SCENE, full), answer));
    expect(scene.trends.get('shop/web')).toEqual({
      cpu: [1, 1, 3, 3, 9],
      memory: [1_000, 1_000, 3_000, 3_000, undefined],
    });
  });
});
