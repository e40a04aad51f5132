// How many services a command will hit, in one line: for each project, and for loose services.
import type { Selection } from '../../streams/domain/command.ts';
import { LOOSE } from '../../streams/domain/ids.ts';
import type { ProjectDocument, ServiceDocument, StateWord } from '../../streams/wire/documents/documents.ts';
import { counted } from '../render/lines/outcome-lines.ts';

const AT_REST: ReadonlySet<StateWord> = new Set(['stopped', 'done', 'failed', 'skipped', 'breaker-open']);

export interface Plan {
  readonly command: 'stop' | 'restart';
  readonly selection: Selection;
  /** `--yes` or `--all` was given: no question is asked. */
  readonly agreed: boolean;
}

const DOING = { stop: 'stopping', restart: 'restarting' } as const;

/**
 * States that a restart of several services leaves alone, unless the declaration has changed. Skipped
 * services are only checked again.
 */
const LEFT: ReadonlySet<StateWord> = new Set(['done', 'scheduled', 'skipped']);

const isHit = ({ command }: Plan, { state, awaits_restart: isNews }: ServiceDocument): boolean =>
  command === 'restart' ? isNews || !LEFT.has(state) : !AT_REST.has(state);

/** Returns the manifests with a service that is hit; `null` means an unknown one. */
export const manifestsHit = (projects: readonly ProjectDocument[], plan: Plan): ReadonlySet<string | null> =>
  new Set(
    projects
      .filter(({ services }) => services.some((service) => isHit(plan, service)))
      .map(({ manifest }) => manifest),
  );

/** Returns `stopping 5 services: shop 3, loose services 2`, or nothing if no service is hit. */
export const announcement = (projects: readonly ProjectDocument[], plan: Plan): string | undefined => {
  const hit = new Map<string, number>();
  let total = 0;
  for (const { id, services } of projects) {
    const count = services.filter((service) => isHit(plan, service)).length;
    const name = id === LOOSE ? 'loose services' : id;
    if (count > 0) hit.set(name, (hit.get(name) ?? 0) + count);
    total += count;
  }
  if (total === 0) return undefined;
  const each = [...hit].map(([name, count]) => `${name} ${count}`).join(', ');
  return `${DOING[plan.command]} ${counted(total)}: ${each}`;
};
