// `sup purge --all`: after confirmation stops all services and the supervisor, and removes all files and the
// boot entry.
import { rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { shownId } from '../../../streams/domain/ids.ts';
import { listedText } from '../../../streams/domain/listed-text.ts';
import { endAll } from '../shutdown/shutdown.ts';
import type { Context } from '../../context.ts';
import { Failure } from '../../../streams/views/errors/command-failure.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';
import type { Parsed } from '../../grammar/parsed-line.ts';
import { takeLock } from '../../offline/offline-stop.ts';
import { requireOwn } from '../../directory-owner.ts';
import { MOST_NAMES, printDocument, printLines } from '../../print.ts';
import { sizeText } from '../../../streams/views/words/age-and-size.ts';
import { confirmed } from '../../render/question.ts';
import { endFifoHolder } from './carry-out-purge.ts';
import { endLeft, livingLeft, removeCgroups } from './leftover-runs.ts';
import { everythingOf, NOTHING_REGISTERED, type Everything } from './inventory.ts';
import { namesText, purgeDocument, type Own } from './purge-report.ts';

const isNothing = ({ own, living, supervisor, boot }: Everything): boolean =>
  own.length === 0 && living.length === 0 && supervisor === undefined && boot === undefined;

const livingText = ({ living }: Everything): readonly string[] => {
  const names = living.map(({ service, process }) => `${shownId(service)} (pid ${process.pid})`);
  return names.length === 0 ? [] : [`stopped: ${listedText(names, MOST_NAMES)}`];
};

const filesText = ({ dataDir }: Context, { own, bytes, projects }: Everything): readonly string[] => {
  if (own.length === 0) return [];
  const owners = projects.length === 0 ? '' : `, of ${namesText(projects)}`;
  return [`removed: all of sup in ${dataDir} (${sizeText(bytes)}${owners})`];
};

const bootText = ({ boot }: Everything): readonly string[] =>
  boot === undefined
    ? []
    : [`${boot.packaged ? 'disabled' : 'removed'}: the boot entry ${boot.where} (${boot.name})`];

const linesOf = (context: Context, all: Everything, dryRun: boolean): readonly string[] => {
  if (isNothing(all)) return ['nothing is left'];
  const done = [
    ...livingText(all),
    ...(all.supervisor === undefined ? [] : [`ended: the supervisor (pid ${all.supervisor})`]),
    ...filesText(context, all),
    ...bootText(all),
  ];
  return [
    ...done.map((line) => (dryRun ? `would be ${line}` : line)),
    ...all.strange.map((name) => `stays: ${context.dataDir}/${name}, which sup has not made`),
  ];
};

const ownIn = ({ dataDir }: Context, { own, bytes, boot }: Everything): readonly Own[] => [
  ...(own.length === 0 ? [] : [{ project: null, kind: 'all', path: dataDir, bytes } as const]),
  ...(boot === undefined ? [] : [{ project: null, kind: 'boot', path: boot.where, bytes: 0 } as const]),
];

const tell = (context: Context, all: Everything, dryRun: boolean): CommandStatus => {
  const removed = ownIn(context, all);
  if (context.json) printDocument(context, purgeDocument({ dryRun, removed, stopped: all.living }));
  else if (!context.quiet) printLines(context, linesOf(context, all, dryRun));
  return EXIT.done;
};

/** Stops all services and the supervisor. Ignores ERR0206, which means that no supervisor runs. */
const endServices = async (context: Context): Promise<void> => {
  try {
    await endAll(context);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.document.code !== 'ERR0206') throw thrown;
  }
};

/** Removes the directory if it is empty and no symbolic link. */
const removeIfEmpty = (directory: string): void => {
  try {
    rmdirSync(directory);
  } catch {
    // The directory remains if it has files that sup did not make. The user has already seen the list of
    // these files.
  }
};

/**
 * Removes all files of sup while it holds the lock. If a process survives, rejects with ERR0112 and removes
 * nothing.
 */
const removeFiles = async (context: Context): Promise<void> => {
  const { dataDir, layout } = context;
  const lock = await takeLock(context);
  try {
    await endLeft(dataDir, await livingLeft(dataDir, NOTHING_REGISTERED, undefined));
    endFifoHolder(layout);
    const { own, cgroups } = await everythingOf(context);
    for (const name of own) await rm(`${dataDir}/${name}`, { recursive: true, force: true });
    removeCgroups(cgroups);
  } finally {
    lock.release();
  }
  removeIfEmpty(dataDir);
};

const remove = async (context: Context, { own, living, boot }: Everything): Promise<void> => {
  if (own.length > 0 || living.length > 0) {
    await endServices(context);
    await removeFiles(context);
  }
  boot?.remove();
};

export const purgeAll = async ({ flags }: Parsed, context: Context): Promise<CommandStatus> => {
  requireOwn(context);
  const all = await everythingOf(context);
  if (flags.has('dry-run')) return tell(context, all, true);
  if (isNothing(all)) return tell(context, all, false);
  const asked = {
    about: [...linesOf(context, all, true), 'manifests stay where they are'],
    question: 'Remove all of it?',
    yes: 'sup purge --all --yes',
  };
  if (!flags.has('yes') && !(await confirmed(context, asked))) return EXIT.failed;
  await remove(context, all);
  return tell(context, all, false);
};
