// Collects the facts that a supervisor finds at its start: settings, registered manifests, recorded services
// and their live processes. Leftover commands of the previous supervisor are killed.
//
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "When the supervisor dies".
import { defaultIfEmpty, forkJoin, lastValueFrom, map } from 'rxjs';
import { loadRegistered } from '../manifest/load.ts';
import { withSlots } from '../manifest/manifest-source.ts';
import { loadSettings } from '../manifest/settings/load-settings.ts';
import { type CommandLeft, commandsLeft } from '../sinks/process/commands/commands-on-disk.ts';
import { freezeAll, killAll } from '../sinks/process/signal-each.ts';
import { processScanner } from '../sources/process/scan-members.ts';
import { knownServices } from '../sources/process/services-to-search.ts';
import { scanForLiving } from '../sources/process/living-runs.ts';
import { readStore } from '../sources/store/read-saved-state.ts';
import type { Event } from '../streams/domain/event.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { RunOptions } from './supervisor-options.ts';
import { killRun } from '../sinks/process/kill-tree.ts';

/**
 * A process that does not exist. It is used if the leader of a run is unknown: a scan then finds the
 * processes of the run by their tags alone.
 */
const UNKNOWN = { pid: 4_194_304, startTicks: 0 };

/**
 * Kills leftover processes of the recorded commands that `which` selects. Resolves when all have ended, or
 * after two seconds, to descriptions of the commands that had such processes.
 */
export const endCommands = async (
  dataDir: string,
  which: (mark: string) => boolean = () => true,
): Promise<readonly string[]> => {
  const left = commandsLeft(dataDir).filter(({ service, run }) => which(`${service}#${run}`));
  if (left.length === 0) return [];
  const scanner = processScanner({ dataDir });
  const alive = new Set<CommandLeft>();
  const kills = left.map((command) => {
    const { service, run, uid, over } = command;
    const leader = { ...UNKNOWN, ...(uid !== undefined && { uid }) };
    const freeze: typeof freezeAll = (...found) => {
      alive.add(command);
      freezeAll(...found);
    };
    const kill$ = killRun(scanner, { service, run, leader, targets: [] }, { freeze, kill: killAll });
    return kill$.pipe(defaultIfEmpty(undefined), map(over));
  });
  await lastValueFrom(forkJoin(kills), { defaultValue: undefined });
  return [...alive].map(({ about }) => about);
};

type Booted = Extract<Event, { type: 'booted' }>;

/** The first event of the loop. `said`: further messages for the log, which the loop does not use. */
export type First = Booted & { readonly said?: readonly string[] };

const endedText = (about: string): string =>
  `${about || 'a command'} was under way when the supervisor before this one ended; it was killed`;

/**
 * Returns the log message about ignored processes. It contains no names of processes, because a user can give
 * a process any name.
 */
const ignoredText = (pids: readonly number[]): string =>
  `left alone, although they have the rlimit tag of a run: pid ${pids.join(', ')}. The user of each is another than the run's, and nothing proves its descent`;

const scalesIn = ({ scales }: Pick<First, 'scales'>): Pick<First, 'scales'> => (scales ? { scales } : {});

/** Returns the first event of the loop. Damaged files are moved aside, with a warning. */
export const firstEvent = async (
  { dataDir, environment, sys, tags }: RunOptions,
  look: typeof scanForLiving = scanForLiving,
): Promise<First> => {
  const ended = await endCommands(dataDir);
  const settings = loadSettings(layoutOf(dataDir).settings, environment);
  const store = readStore(dataDir);
  const { readings = {} } = store;
  const ports = { environment, uid: process.getuid?.() ?? 0, sys, readings };
  const registered = store.manifests.map((path) => ({
    ...{ path, load: withSlots(loadRegistered(path, ports)) },
    ...(readings[path] && { reading: readings[path] }),
  }));
  const declared = registered.flatMap(({ load }) => load.manifest?.services ?? []);
  const { found, ignored } = await look(dataDir, await knownServices(store.services, declared), tags);
  const said = [...ended.map(endedText), ...(ignored.length > 0 ? [ignoredText(ignored)] : [])];
  return {
    type: 'booted',
    settings: settings.settings,
    registered,
    restored: store.services,
    found,
    sameBoot: store.sameBoot,
    warnings: [...settings.warnings, ...store.warnings],
    ...scalesIn(store),
    ...(store.unrecorded.length > 0 && { unrecorded: store.unrecorded }),
    ...(said.length > 0 && { said }),
  };
};
