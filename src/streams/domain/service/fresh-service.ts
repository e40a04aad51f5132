// The initial state of a run, and of a service that was never declared before.
import type { Run } from './run.ts';
import type { Service } from './service.ts';
import type { ServiceSpec } from '../declared/spec.ts';

/** Returns a run that no command has touched yet. */
export const freshRun = (spec: ServiceSpec): Run => ({
  spec,
  wanted: 'down',
  actual: { tag: 'down', why: { tag: 'new' } },
  runs: 0,
  attempts: 0,
  insisted: false,
  recovering: false,
  schedule: { runs: [] },
  history: [],
});

/** Returns a service that no command has touched yet. */
export const freshService = (spec: ServiceSpec): Service => ({
  ...freshRun(spec),
  resume: false,
  leaving: false,
  gate: 'none',
  awaitedBy: [],
});
