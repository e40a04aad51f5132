// Before a command stops or bounces more than was named: what it will hit, with its counts.
import { isBulk } from '../../streams/selection/is-selected.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { LOOSE } from '../../streams/domain/ids.ts';
import { findDefaultManifest } from '../../sources/manifest/default-manifest.ts';
import type { ProjectDocument, StateWord } from '../../streams/wire/documents/documents.ts';
import type { Context } from '../context.ts';
import { remark } from '../print.ts';
import { counted } from '../render/outcome-lines.ts';
import type { Client } from './client.ts';

const AT_REST: ReadonlySet<StateWord> = new Set(['stopped', 'done', 'failed', 'skipped', 'breaker-open']);

export interface Plan {
  readonly command: 'stop' | 'restart';
  readonly selection: Selection;
}

const DOING = { stop: 'stopping', restart: 'restarting' } as const;

const isHit = ({ command }: Plan, state: StateWord): boolean => command === 'restart' || !AT_REST.has(state);

/** `stopping 5 services: shop 3, loose services 2`; nothing when nobody is hit. */
export const announcement = (projects: readonly ProjectDocument[], plan: Plan): string | undefined => {
  const hit = new Map<string, number>();
  let total = 0;
  for (const { id, services } of projects) {
    const count = services.filter(({ state }) => isHit(plan, state)).length;
    const name = id === LOOSE ? 'loose services' : id;
    if (count > 0) hit.set(name, (hit.get(name) ?? 0) + count);
    total += count;
  }
  if (total === 0) return undefined;
  const each = [...hit].map(([name, count]) => `${name} ${count}`).join(', ');
  return `${DOING[plan.command]} ${counted(total)}: ${each}`;
};

/** Whoever types it where a manifest lies may have meant that one alone. */
const hereHint = ({ world }: Context, { command, selection }: Plan): string =>
  Object.keys(selection).length === 0 && findDefaultManifest(world.directory) !== undefined
    ? ` (only those of this directory: sup ${command} --here)`
    : '';

/** Rejects as the command itself would when the selection means nobody. */
export const announce = async (context: Context, client: Client, plan: Plan): Promise<void> => {
  if (context.json || context.quiet || !isBulk(plan.selection)) return;
  const { projects } = await client.call('status', plan.selection);
  const text = announcement(projects, plan);
  if (text !== undefined) remark(context, `${text}${hereHint(context, plan)}`);
};
