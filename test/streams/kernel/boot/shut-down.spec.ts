import { expect, it } from 'vitest';
import type { Event } from '../../../../src/streams/domain/event.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import { servicesOf } from '../../../../src/streams/kernel/service-table.ts';
import { INITIAL_STATE } from '../../../../src/streams/kernel/state.ts';
import { step } from '../../../../src/streams/kernel/step.ts';
import { SHOP, specOf } from '../../../support/spec.ts';
import { NOW, PROCESS, RUN, serviceIn } from '../../../support/states.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const dead = ['up', 'backing-off', 'waiting', 'casualty', 'down'] as const;
const web = serviceIn('up', specOf('web'));
const booted: Booted = {
  type: 'booted',
  settings: DEFAULT_SETTINGS,
  registered: [],
  restored: [web, ...dead.map((tag) => ({ ...serviceIn(tag, specOf(tag)), resume: true }))],
  found: [{ service: web.spec.id, run: RUN, process: PROCESS }],
  unrecorded: [SHOP],
  sameBoot: true,
  warnings: [],
};

it('after an unrecorded shutdown dead services have stopped and live ones stop', () => {
  const { state, effects } = step(INITIAL_STATE, { at: NOW, event: { ...booted, shutDown: true } });
  const [first, ...others] = servicesOf(state.serviceTable);
  expect(first).toMatchObject({ wanted: 'down', actual: { tag: 'stopping' } });
  for (const service of others)
    expect(service).toMatchObject({
      wanted: 'down',
      resume: false,
      actual: { tag: 'down', why: { tag: 'asked' } },
    });
  expect(effects.map(({ type }) => type)).not.toContain('spawn');
  expect(state.warnings).toEqual([]);
});
