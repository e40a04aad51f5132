// Before a command stops or restarts more than was named, it says what it will hit, with counts. On a
// terminal it asks first, if it reaches beyond the manifest of this directory
// (`docs/commands.md`, "Which services").
import { isBulk } from '../../streams/selection/is-selected.ts';
import { findDefaultManifest } from '../../manifest/file-names.ts';
import type { StatusDocument } from '../../streams/wire/documents/documents.ts';
import type { Context } from '../context.ts';
import type { Parsed } from '../grammar/parsed.ts';
import { remark } from '../print.ts';
import { canAsk, confirmed } from '../render/question.ts';
import { registeredHere } from '../selection/here.ts';
import { isEverything } from '../selection/selection.ts';
import { type Plan, announcement, manifestsHit } from './announcement.ts';

/** True for `--yes`, and for `--all`, which answers the question in advance. */
export const agreedIn = ({ flags }: Parsed): boolean => {
  const [yes, all] = [flags.has('yes'), flags.has('all')];
  return yes || all;
};

type Projects = StatusDocument['projects'];

/** Returns a hint for users that type this next to a manifest and may have meant only that. */
const hereHint = ({ world }: Context, { command, selection }: Plan): string =>
  isEverything(selection) && findDefaultManifest(world.directory) !== undefined
    ? ` (only those of this directory: sup ${command} --here)`
    : '';

const isBeyondHere = (context: Context, projects: Projects, plan: Plan): boolean => {
  const here = registeredHere(context);
  return [...manifestsHit(projects, plan)].some((manifest) => manifest !== here);
};

/** True only on a terminal, and only for everything: a selection was made on purpose. */
export const isToAsk = (context: Context, { selection, agreed }: Plan): boolean =>
  isEverything(selection) && !agreed && canAsk(context);

/**
 * Resolves to false if the user was asked and did not agree. Rejects like the command itself if the selection
 * means nothing. `projectsOf` returns the present state.
 */
export const announce = async (
  context: Context,
  plan: Plan,
  projectsOf: () => Promise<Projects>,
): Promise<boolean> => {
  const asks = isToAsk(context, plan);
  if (context.json || !isBulk(plan.selection) || (context.quiet && !asks)) return true;
  const projects = await projectsOf();
  const text = announcement(projects, plan);
  if (text === undefined) return true;
  const told = `${text}${hereHint(context, plan)}`;
  if (asks && isBeyondHere(context, projects, plan))
    return confirmed(context, { about: [told], question: 'Go on?', yes: `sup ${plan.command} --yes` });
  remark(context, told);
  return true;
};
