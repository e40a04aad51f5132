// Before a command stops or bounces more than was named: what it will hit, with its counts.
import { isBulk } from '../../streams/selection/is-selected.ts';
import { findDefaultManifest } from '../../sources/manifest/default-manifest.ts';
import type { Context } from '../context.ts';
import { remark } from '../print.ts';
import type { Client } from './client.ts';
import { type Plan, announcement } from './announcement.ts';

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
