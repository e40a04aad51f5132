// What a supervisor finds when it begins: settings, registered manifests, the services as they were, and which of
// their processes are alive.
import { withSlots } from '../../sources/manifest/kept-slots.ts';
import { loadRegistered } from '../../sources/manifest/load.ts';
import { endCommands } from './end-commands.ts';
import { livingRuns } from '../../sources/process/living-runs.ts';
import { loadSettings } from '../../sources/settings/settings.ts';
import { readStore } from '../../sources/store/read.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { Place } from './options.ts';

type Booted = Extract<Event, { type: 'booted' }>;

/** With what is only said once, and is no business of the loop. */
export type First = Booted & { readonly said?: readonly string[] };

const endedText = (about: string): string =>
  `${about || 'a command'} was under way when the supervisor before this one ended; it was killed`;

/** All services that are recorded or declared. */
const servicesIn = (restored: Booted['restored'], registered: Booted['registered']): readonly ServiceId[] => [
  ...new Set([
    ...restored.map(({ spec }) => spec.id),
    ...registered.flatMap(({ load }) => load.manifest?.services.map(({ id }) => id) ?? []),
  ]),
];

/** The event that a loop begins with. Never throws for what stands on disk: that is moved aside, with a warning. */
export const firstEvent = async (
  { dataDir, environment, sys }: Place,
  findRuns: typeof livingRuns = livingRuns,
): Promise<First> => {
  const ended = await endCommands(dataDir);
  const settings = loadSettings(layoutOf(dataDir).settings, environment);
  const store = readStore(dataDir);
  const ports = { environment, uid: process.getuid?.() ?? 0, sys };
  const registered = store.manifests.map((path) => ({ path, load: withSlots(loadRegistered(path, ports)) }));
  return {
    type: 'booted',
    settings: settings.settings,
    registered,
    restored: store.services,
    found: await findRuns(dataDir, servicesIn(store.services, registered)),
    sameBoot: store.sameBoot,
    warnings: [...settings.warnings, ...store.warnings],
    ...(ended.length > 0 && { said: ended.map(endedText) }),
  };
};
