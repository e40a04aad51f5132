// Registered projects whose record is lost: nobody knows what of them was wanted, and nothing is left down in silence.
import type { Event } from '../../domain/event.ts';
import type { ProjectId } from '../../domain/ids.ts';
import type { Draft } from '../draft.ts';
import { sendOff, targetsOf } from '../requests/start.ts';
import { servicesOf } from '../roster.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const lostText = (project: ProjectId): string =>
  `the record of ${project} is lost: its services are started as \`sup start\` does, also those that were stopped by hand`;

/** A warning for each such project that a manifest declares, whose services are started as `sup start` would. */
export const startUnrecorded = (draft: Draft, { unrecorded = [] }: Booted): void => {
  const services = servicesOf(draft.state.roster);
  const lost = unrecorded.filter((id) => services.some(({ spec }) => spec.project === id));
  if (lost.length === 0 || draft.state.phase !== 'running') return;
  const texts = lost.map(lostText);
  draft.effects.push(...texts.map((text) => ({ type: 'note', level: 'warn', text }) as const));
  draft.state = { ...draft.state, warnings: [...draft.state.warnings, ...texts] };
  const ids = services.flatMap(({ spec }) => (lost.includes(spec.project) ? [spec.id] : []));
  sendOff(draft, targetsOf(draft, ids), () => false);
};
