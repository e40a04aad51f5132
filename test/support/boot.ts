// The first step of a supervisor.
import { DEFAULT_SETTINGS } from '../../src/streams/domain/declared/settings.ts';
import type { Event } from '../../src/streams/domain/event.ts';
import { INITIAL_STATE } from '../../src/streams/kernel/state.ts';
import { step, type Step } from '../../src/streams/kernel/step.ts';
import { NOW } from './states.ts';

/** What a supervisor found when it started; nothing but what is given. */
export const bootWith = (given: Partial<Extract<Event, { type: 'booted' }>>, state = INITIAL_STATE): Step =>
  step(state, {
    at: NOW,
    event: {
      type: 'booted',
      settings: DEFAULT_SETTINGS,
      registered: [],
      restored: [],
      found: [],
      sameBoot: true,
      warnings: [],
      ...given,
    },
  });
