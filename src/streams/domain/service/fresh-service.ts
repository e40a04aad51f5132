// The initial state of a service that was never declared before.
import type { Service } from './service.ts';
import type { ServiceSpec } from '../declared/spec.ts';

/** Returns a service that no command has touched yet. */
export const freshService = (spec: ServiceSpec): Service => ({
  spec,
  wanted: 'down',
  actual: { tag: 'down', why: { tag: 'new' } },
  runs: 0,
  attempts: 0,
  insisted: false,
  resume: false,
  leaving: false,
  gate: 'none',
  recovering: false,
  schedule: { runs: [] },
  awaitedBy: [],
  history: [],
});
