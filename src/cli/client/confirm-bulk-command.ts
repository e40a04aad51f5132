// Announces a stop or restart of several services: prints how many services of each project it affects. `sup
// stop` and `sup restart` without a selection also ask for confirmation on a terminal, if the manifest of
// this directory does not declare all these services (`docs/commands.md`, "Which services").
import type { Context } from '../context.ts';
import type { Parsed } from '../grammar/parsed-line.ts';
import { remark } from '../print.ts';
import { counted } from '../render/outcome-lines.ts';
import { canAsk, confirmed } from '../render/question.ts';
import { isEverything, registeredHere } from '../selection.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { LOOSE } from '../../streams/domain/ids.ts';
import { isBulk } from '../../streams/selection/match.ts';
import type {
  ProjectDocument,
  ServiceDocument,
  StatusDocument,
} from '../../streams/wire/documents/documents.ts';
import type { StateWord } from '../../streams/wire/documents/basic-documents.ts';
import { findDefaultManifest } from '../../manifest/file-names.ts';

const AT_REST: ReadonlySet<StateWord> = new Set(['stopped', 'done', 'failed', 'skipped', 'breaker-open']);

export interface BulkCommand {
  readonly command: 'stop' | 'restart';
  readonly selection: Selection;
  /** True if the user agreed in advance, with `--yes` or `--all`. The command then asks no question. */
  readonly agreed: boolean;
}

const DOING = { stop: 'stopping', restart: 'restarting' } as const;

/**
 * A restart of several services does not restart a service in one of these states, unless its declaration has
 * changed.
 */
const LEFT: ReadonlySet<StateWord> = new Set(['done', 'scheduled', 'skipped']);

const isHit = ({ command }: BulkCommand, { state, awaits_restart: isNews }: ServiceDocument): boolean =>
  command === 'restart' ? isNews || !LEFT.has(state) : !AT_REST.has(state);

/**
 * Returns the manifests that declare at least one affected service; `null` stands for an unknown manifest.
 */
const manifestsHit = (projects: readonly ProjectDocument[], plan: BulkCommand): ReadonlySet<string | null> =>
  new Set(
    projects
      .filter(({ services }) => services.some((service) => isHit(plan, service)))
      .map(({ manifest }) => manifest),
  );

/**
 * Returns a text such as `stopping 5 services: shop 3, loose services 2`; `undefined` if no service is
 * affected.
 */
export const announcement = (projects: readonly ProjectDocument[], plan: BulkCommand): string | undefined => {
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

/** True if the user agreed in advance, with `--yes` or `--all`. */
export const agreedIn = ({ flags }: Parsed): boolean => {
  const [yes, all] = [flags.has('yes'), flags.has('all')];
  return yes || all;
};

type Projects = StatusDocument['projects'];

/**
 * Returns a hint that `--here` limits the command to the manifest of this directory; `''` if there is no such
 * manifest or the user selected services.
 */
const hereHint = ({ world }: Context, { command, selection }: BulkCommand): string =>
  isEverything(selection) && findDefaultManifest(world.directory) !== undefined
    ? ` (only those of this directory: sup ${command} --here)`
    : '';

const isBeyondHere = (context: Context, projects: Projects, plan: BulkCommand): boolean => {
  const here = registeredHere(context);
  return [...manifestsHit(projects, plan)].some((manifest) => manifest !== here);
};

/** True if the command may ask for confirmation: it has a terminal, but no selection, `--yes` or `--all`. */
export const isToAsk = (context: Context, { selection, agreed }: BulkCommand): boolean =>
  isEverything(selection) && !agreed && canAsk(context);

/**
 * Prints which services the command affects, and asks for confirmation if necessary. Resolves to false if the
 * user refused. `projectsOf` reads the status. If `projectsOf` rejects, this function rejects with the same
 * error.
 */
export const announce = async (
  context: Context,
  plan: BulkCommand,
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
