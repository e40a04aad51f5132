// `sup purge`: removes what is left of projects that are not registered any more. A running supervisor sets it aside itself,
// so that nothing is taken from who is being registered at that moment; without one the lock is held meanwhile.
import { rm } from 'node:fs/promises';
import { Keeper } from '../../../sinks/logs/keeper.ts';
import { leftoversIn, setAside, type Registered } from '../../../sinks/store/leftovers.ts';
import type { Found } from '../../../streams/domain/event.ts';
import { LOOSE, projectId, projectOf, shownId } from '../../../streams/domain/ids.ts';
import type { Leftover, LeftoverKind, Methods, PurgeQuery } from '../../../streams/wire/protocol.ts';
import type { Client } from '../../client/client.ts';
import { connectIfRunning } from '../../client/ensure-supervisor.ts';
import type { Context } from '../../context.ts';
import { EXIT, type ExitStatus } from '../../exit-status.ts';
import { failure } from '../../failure.ts';
import type { Parsed } from '../../grammar/parsed.ts';
import type { Handler } from '../../handler.ts';
import { takeLock } from '../../offline/offline-stop.ts';
import { printDocument, printLines } from '../../print.ts';
import { endLeft, livingLeft } from '../../purge/living.ts';
import { registeredWith, registeredWithout } from '../../purge/registered.ts';
import { bytesOf, purgeDocument, purgeLines, type Purge, type Weighed } from '../../purge/report.ts';
import { confirmed } from '../../render/question.ts';

type Removed = Methods['purge']['result']['removed'];

const queryOf = ({ flags, values: { project } }: Parsed): PurgeQuery => {
  const kinds = (['logs', 'state'] as const).filter((kind: LeftoverKind) => flags.has(kind));
  return {
    kinds: kinds.length === 0 ? ['logs', 'state'] : kinds,
    ...(project !== undefined && { projects: project }),
  };
};

/** Throws ERR0601 for a project that is registered, ERR0202 for one of which there is nothing. */
const refuseNames = ({ projects }: Registered, query: PurgeQuery, there: ReadonlySet<string>): void => {
  for (const name of query.projects ?? []) {
    if (name !== LOOSE && projects.has(projectId(name))) throw failure({ code: 'ERR0601', name });
    if (!there.has(name)) throw failure({ code: 'ERR0202', name, known: [...there] });
  }
};

const runningText = (living: readonly Found[]): string =>
  living.map(({ service, process }) => `${shownId(service)} (pid ${process.pid})`).join(', ');

const weighed = (leftovers: readonly Leftover[]): readonly Weighed[] =>
  leftovers.map((leftover) => ({ ...leftover, bytes: bytesOf(leftover.path) }));

const endKeeper = ({ dataDir, keeper: pidFile }: Context['layout']): void =>
  new Keeper({ dataDir, pidFile, kept: () => [] }).close();

/** Looks once more, and takes it out of everybody's way. */
const takeAway = async (
  context: Context,
  client: Client | undefined,
  query: PurgeQuery,
): Promise<Removed> => {
  if (client !== undefined) return (await client.call('purge', query)).removed;
  const lock = await takeLock(context);
  try {
    const registered = registeredWithout(context);
    // Who held the FIFOs of these open for a supervisor to come holds nothing else.
    if (registered.services.size === 0) endKeeper(context.layout);
    return setAside(context.layout, leftoversIn(context.layout, registered, query));
  } finally {
    lock.release();
  }
};

const carryOut = async (
  context: Context,
  client: Client | undefined,
  { query, stopped }: { readonly query: PurgeQuery; readonly stopped: readonly Found[] },
): Promise<Purge> => {
  await endLeft(context.dataDir, stopped);
  const removed = (await takeAway(context, client, query)).map((one) => ({
    ...one,
    bytes: bytesOf(one.aside),
  }));
  await rm(context.layout.purged, { recursive: true, force: true });
  return { dryRun: false, removed, stopped };
};

const tell = (context: Context, done: Purge): void => {
  if (context.json) printDocument(context, purgeDocument(done));
  else if (!context.quiet) printLines(context, purgeLines(done));
};

const purgeWith = async (
  parsed: Parsed,
  context: Context,
  client: Client | undefined,
): Promise<ExitStatus> => {
  const registered = client === undefined ? registeredWithout(context) : await registeredWith(client);
  const query = queryOf(parsed);
  const found = leftoversIn(context.layout, registered, query);
  const living = await livingLeft(context.dataDir, registered, query.projects);
  const there = new Set([
    ...found.map(({ project }) => project),
    ...living.map(({ service }) => projectOf(service)),
  ]);
  refuseNames(registered, query, there);
  if (living.length > 0 && !parsed.flags.has('force'))
    throw failure({ code: 'ERR0602', detail: runningText(living) });
  const plan: Purge = { dryRun: true, removed: weighed(found), stopped: living };
  if (parsed.flags.has('dry-run') || there.size === 0) {
    tell(context, { ...plan, dryRun: parsed.flags.has('dry-run') });
    return EXIT.done;
  }
  const asked = { about: purgeLines(plan), question: 'Remove all of it?', yes: 'sup purge --yes' };
  if (!parsed.flags.has('yes') && !(await confirmed(context, asked))) return EXIT.failed;
  tell(context, await carryOut(context, client, { query, stopped: living }));
  return EXIT.done;
};

export const purge: Handler = async (parsed, context) => {
  const client = await connectIfRunning(context.dataDir);
  try {
    return await purgeWith(parsed, context, client);
  } finally {
    client?.close();
  }
};
