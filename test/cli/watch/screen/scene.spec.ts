import { describe, expect, it } from 'vitest';
import { FIRST_SCENE, logged, sawView } from '../../../../src/cli/watch/screen/scene.ts';
import type { ServiceDocument } from '../../../../src/streams/wire/documents/documents.ts';
import { NOW, projectOf, serviceOf } from '../../support/documents.ts';

const view = (facts: Partial<ServiceDocument>, full = false) => ({
  full,
  projects: [projectOf([serviceOf(facts)])],
  gone: [],
});

describe('what happened', () => {
  it('is a change of state or health after the first view, and no number', () => {
    const scene = [
      view({}, true),
      view({ cpu_percent: 3 }),
      view({ pid: 900 }),
      view({ pid: 900, health: 'unhealthy' }),
      view({ pid: null, state: 'failed', health: 'unknown' }),
    ].reduce((before, each) => sawView(before, each, NOW), FIRST_SCENE);
    expect(scene.happened.map(({ id, from, service }) => [id, from, service.state, service.health])).toEqual([
      ['shop/web', 'running', 'running', 'unhealthy'],
      ['shop/web', 'running', 'failed', 'unknown'],
    ]);
  });

  it('is kept to a bounded number, the newest', () => {
    const scene = Array.from({ length: 301 }, (_, at) =>
      view({ state: at % 2 === 0 ? 'running' : 'failed' }, at === 0),
    ).reduce((before, each, at) => sawView(before, each, at), FIRST_SCENE);
    expect([scene.happened.length, scene.happened.at(-1)?.at]).toEqual([200, 300]);
    const entry = { at: '', stream: 'stdout', text: 'x', continues: false };
    const flooded = logged(
      FIRST_SCENE,
      Array.from({ length: 900 }, () => entry),
    );
    expect(flooded.ui.log).toHaveLength(500);
  });
});
