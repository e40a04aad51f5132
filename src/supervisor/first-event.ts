// What a supervisor finds when it starts: settings, registered manifests, the recorded services, and which of
// their processes are alive.
import { withSlots } from '../manifest/manifest-source.ts';
import { loadRegistered } from '../manifest/load.ts';
import { endCommands } from './end-commands.ts';
import { knownServices } from '../sources/process/known-services.ts';
import { lookForLiving } from '../sources/process/living-runs.ts';
import { loadSettings } from '../manifest/settings/load-settings.ts';
import { readStore } from '../sources/store/read-store.ts';
import type { Event } from '../streams/domain/event.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { Place } from './options.ts';

type Booted = Extract<Event, { type: 'booted' }>;

/** The first event, with notes that are logged once and do not concern the loop. */
export type First = Booted & { readonly said?: readonly string[] };

const endedText = (about: string): string =>
  `${about || 'a command'} was under way when the supervisor before this one ended; it was killed`;

/** Names these processes by pid only: other text could have been chosen by the user that started them. */
const ignoredText = (pids: readonly number[]): string =>
  `left alone, although they have the birthmark of a run: pid ${pids.join(', ')}. The user of each is another than the run's, and nothing proves its descent`;

/**
 * Returns the loop's first event. Never throws because of a file: a bad one is moved aside, with a warning.
 */
export const firstEvent = async (
  { dataDir, environment, sys }: Place,
  look: typeof lookForLiving = lookForLiving,
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
