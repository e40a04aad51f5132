// Collects what a supervisor finds when it starts: settings, registered manifests, the recorded services, and
// which of their processes are alive. Commands that the previous supervisor ran for services are killed
// before this one starts its own. Rules: `docs/behaviour.md`, "Commands on behalf of a service", "When the
// supervisor dies".
import { defaultIfEmpty, forkJoin, lastValueFrom, map } from 'rxjs';
import { loadRegistered } from '../manifest/load.ts';
import { withSlots } from '../manifest/manifest-source.ts';
import { loadSettings } from '../manifest/settings/load-settings.ts';
import { type CommandLeft, commandsLeft } from '../sinks/process/commands/commands-on-disk.ts';
import { freezeAll, killAll } from '../sinks/process/signal-each.ts';
import { procCensus } from '../sources/process/scan-members.ts';
import { knownServices } from '../sources/process/known-services.ts';
import { scanForLiving } from '../sources/process/living-runs.ts';
import { readStore } from '../sources/store/read-store.ts';
import type { Event } from '../streams/domain/event.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { RunOptions } from './supervisor-options.ts';
import { killRun } from '../sinks/process/kill-tree.ts';

/**
 * The leader (first process) of a run if it is unknown: no process can have this pid. A scan then finds the
 * processes of the run by their run tags alone.
 */
const UNKNOWN = { pid: 4_194_304, startTicks: 0 };

/**
 * Kills leftover processes of recorded commands for which `which` returns true. Resolves when all have ended,
 * or after two seconds, with a description of each command that was still alive.
 */
export const endCommands = async (
  dataDir: string,
  which: (mark: string) => boolean = () => true,
): Promise<readonly string[]> => {
  const left = commandsLeft(dataDir).filter(({ service, run }) => which(`${service}#${run}`));
  if (left.length === 0) return [];
  const census = procCensus({ dataDir });
  const alive = new Set<CommandLeft>();
  const kills = left.map((command) => {
    const { service, run, uid, over } = command;
    const leader = { ...UNKNOWN, ...(uid !== undefined && { uid }) };
    const freeze: typeof freezeAll = (...found) => {
      alive.add(command);
      freezeAll(...found);
    };
    const kill$ = killRun(census, { service, run, leader, targets: [] }, { freeze, kill: killAll });
    return kill$.pipe(defaultIfEmpty(undefined), map(over));
  });
  await lastValueFrom(forkJoin(kills), { defaultValue: undefined });
  return [...alive].map(({ about }) => about);
};

type Booted = Extract<Event, { type: 'booted' }>;

/** The first event of the loop. `said`: messages for the log that the loop does not need. */
export type First = Booted & { readonly said?: readonly string[] };

const endedText = (about: string): string =>
  `${about || 'a command'} was under way when the supervisor before this one ended; it was killed`;

/**
 * Returns the log message about ignored processes. It names processes by pid only, because a user chooses
 * their names and arguments.
 */
const ignoredText = (pids: readonly number[]): string =>
  `left alone, although they have the rlimit tag of a run: pid ${pids.join(', ')}. The user of each is another than the run's, and nothing proves its descent`;

/**
 * Returns the first event of the loop. A damaged file never makes it throw: the file is moved aside, with a
 * warning.
 */
export const firstEvent = async (
  { dataDir, environment, sys }: RunOptions,
  look: typeof scanForLiving = scanForLiving,
): Promise<First> => {
  const ended = await endCommands(dataDir);
  const settings = loadSettings(layoutOf(dataDir).settings, environment);
  const store = readStore(dataDir);
  const ports = { environment, uid: process.getuid?.() ?? 0, sys };
  const registered = store.manifests.map((path) => ({ path, load: withSlots(loadRegistered(path, ports)) }));
  const declared = registered.flatMap(({ load }) => load.manifest?.services ?? []);
  const { found, ignored } = await look(dataDir, await knownServices(store.services, declared));
  const said = [...ended.map(endedText), ...(ignored.length > 0 ? [ignoredText(ignored)] : [])];
  return {
    type: 'booted',
    settings: settings.settings,
    registered,
    restored: store.services,
    found,
    sameBoot: store.sameBoot,
    warnings: [...settings.warnings, ...store.warnings],
    ...(store.unrecorded.length > 0 && { unrecorded: store.unrecorded }),
    ...(said.length > 0 && { said }),
  };
};
