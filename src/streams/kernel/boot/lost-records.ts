// Starts the services of registered projects that have lost their record, because it is unknown which of the
// services should run. Logs a warning.
// Rules: `docs/behaviour.md`, "Saved state".
import type { Event } from '../../domain/event.ts';
import type { ProjectId } from '../../domain/ids.ts';
import { changeState, type Draft } from '../draft.ts';
import { sendOff, targetsOf } from '../requests/start-services.ts';
import { servicesOf } from '../service-table.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const lostText = (project: ProjectId): string =>
  `the record of ${project} is lost: its services are started as \`sup start\` does, also those that were stopped by hand`;

/** Starts the services of each project with a lost record, as `sup start` would, and logs a warning. */
export const startUnrecorded = (draft: Draft, { unrecorded = [] }: Booted): void => {
  const services = servicesOf(draft.state.serviceTable);
  const lost = unrecorded.filter((id) => services.some(({ spec }) => spec.project === id));
  if (lost.length === 0 || draft.state.phase !== 'running') return;
  const texts = lost.map(lostText);
  draft.effects.push(...texts.map((text) => ({ type: 'note', level: 'warn', text }) as const));
  changeState(draft, { warnings: [...draft.state.warnings, ...texts] });
  const ids = services.flatMap(({ spec }) => (lost.includes(spec.project) ? [spec.id] : []));
  sendOff(draft, { targets: targetsOf(draft, ids) }, () => false);
};
