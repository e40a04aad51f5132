// `sup purge`: shows the files and runs that are left of unregistered projects, and removes them after
// confirmation.
import { leftoversIn, removeAside, type RegisteredNames } from '../../../sinks/store/unregistered-files.ts';
import type { Found } from '../../../streams/domain/event.ts';
import { LOOSE, projectId, projectOf, shownId } from '../../../streams/domain/ids.ts';
import type { Leftover, PurgeQuery } from '../../../streams/wire/protocol.ts';
import type { Client } from '../../../client/client.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import type { Context, Handler } from '../../context.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';
import { LEFTOVER_KINDS } from '../../../streams/wire/params/request-params.ts';
import { errorDocument } from '../../../streams/views/errors/error-text.ts';
import { Failure, failure } from '../../../streams/views/errors/command-failure.ts';
import type { Parsed } from '../../grammar/parsed-line.ts';
import { requireOwn } from '../../directory-owner.ts';
import { printDocument, printLines } from '../../print.ts';
import { carryOut } from './carry-out-purge.ts';
import { cgroupsLeft, livingLeft } from './leftover-runs.ts';
import { registeredWith, registeredWithout } from './registered-names.ts';
import { bytesOf, purgeDocument, purgeLines, type Purge } from './purge-report.ts';
import { confirmed } from '../../render/question.ts';

interface Manner {
  readonly force: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
}

interface FoundLeftovers {
  readonly query: PurgeQuery;
  readonly registered: RegisteredNames;
  readonly files: readonly Leftover[];
  readonly cgroups: readonly Leftover[];
  readonly living: readonly Found[];
}

const queryOf = ({ flags, values: { project } }: Parsed): PurgeQuery => {
  const asked = LEFTOVER_KINDS.filter((kind) => flags.has(kind));
  return {
    kinds: asked.length === 0 ? LEFTOVER_KINDS : asked,
    ...(project !== undefined && { projects: project }),
  };
};

const findLeftovers = async (
  query: PurgeQuery,
  context: Context,
  client: Client | undefined,
): Promise<FoundLeftovers> => {
  const { layout, dataDir, sys } = context;
  const registered = client === undefined ? registeredWithout(context) : await registeredWith(client);
  return {
    ...{ query, registered },
    files: leftoversIn(layout, registered, query),
    cgroups: sys ? cgroupsLeft(registered, query) : [],
    living: await livingLeft(dataDir, registered, query.projects),
  };
};

const projectsIn = ({ files, cgroups, living }: FoundLeftovers): ReadonlySet<string> =>
  new Set([
    ...[...files, ...cgroups].map(({ project }) => project),
    ...living.map(({ service }) => projectOf(service)),
  ]);

const nothingOf = (name: string, known: readonly string[]): Failure => {
  const message = `nothing is left of a project "${name}"`;
  const hint =
    known.length === 0 ? 'nothing is left of any project' : `something is left of ${known.join(', ')}`;
  return new Failure({ ...errorDocument({ code: 'ERR0202', name, known }), message, hint });
};

/** Returns the user's command line with `--yes` added, for a hint. */
const agreeing = ({ kinds, projects = [] }: PurgeQuery, { force }: Manner): string =>
  [
    'sup purge',
    ...projects.map((project) => `-p ${project}`),
    ...(kinds.length === LEFTOVER_KINDS.length ? [] : kinds.map((kind) => `--${kind}`)),
    ...(force ? ['--force'] : []),
    '--yes',
  ].join(' ');

/** Throws ERR0601 for a registered project, and ERR0202 for a project without leftovers. */
const refuseNames = (left: FoundLeftovers): void => {
  const known = projectsIn(left);
  for (const name of left.query.projects ?? []) {
    if (name !== LOOSE && left.registered.projects.has(projectId(name)))
      throw failure({ code: 'ERR0601', name });
    if (!known.has(name)) throw nothingOf(name, [...known]);
  }
};

/** Throws ERR0602 if leftover runs are alive, unless `--force` was given. */
const refuseLiving = ({ living }: FoundLeftovers, { force }: Manner): void => {
  if (living.length === 0 || force) return;
  const names = living.map(({ service, process }) => `${shownId(service)} (pid ${process.pid})`);
  throw failure({ code: 'ERR0602', detail: names.join(', ') });
};

const planned = ({ files, cgroups, living }: FoundLeftovers): Purge => ({
  dryRun: true,
  removed: [...files, ...cgroups].map((leftover) => ({ ...leftover, bytes: bytesOf(leftover.path) })),
  stopped: living,
});

const tell = (context: Context, done: Purge): CommandStatus => {
  if (context.json) printDocument(context, purgeDocument(done));
  else if (!context.quiet) printLines(context, purgeLines(done));
  return EXIT.done;
};

const mannerOf = ({ flags }: Parsed): Manner => ({
  force: flags.has('force'),
  yes: flags.has('yes'),
  dryRun: flags.has('dry-run'),
});

const purgeWith = async (
  { query, manner }: { readonly query: PurgeQuery; readonly manner: Manner },
  context: Context,
  client: Client | undefined,
): Promise<CommandStatus> => {
  const left = await findLeftovers(query, context, client);
  refuseNames(left);
  refuseLiving(left, manner);
  const plan = planned(left);
  if (manner.dryRun) return tell(context, plan);
  requireOwn(context);
  if (projectsIn(left).size === 0) {
    await removeAside(context.layout);
    return tell(context, { ...plan, dryRun: false });
  }
  const asked = { about: purgeLines(plan), question: 'Remove all of it?', yes: agreeing(left.query, manner) };
  const agreed = manner.yes || (await confirmed(context, asked));
  return agreed ? tell(context, await carryOut(context, client, left)) : EXIT.failed;
};

export const purge: Handler = async (parsed, context) => {
  if (parsed.flags.has('all')) return (await import('./purge-all.ts')).purgeAll(parsed, context);
  const asked = { query: queryOf(parsed), manner: mannerOf(parsed) };
  const client = await connectIfRunning(context.dataDir);
  try {
    return await purgeWith(asked, context, client);
  } finally {
    client?.close();
  }
};
