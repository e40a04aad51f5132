// The client library: returns a supervisor that a program can watch and command (`docs/api.md`).
import { dirname, resolve } from 'node:path';
import { distinctUntilChanged, map } from 'rxjs';
import {
  type AbsolutePath,
  eventQuery,
  logQuery,
  optionsOf,
  pathHere,
  pathThere,
  selected,
  textOf,
} from './checked-input.ts';
import { commandsOn, type Send } from './command-calls.ts';
import { programCallsOn } from './program-calls.ts';
import { questionsOn } from './questions.ts';
import type { Place, Sup } from './sup-interface.ts';
import { type Client, connect as connectTo } from '../client.ts';
import { type ClientFailure, failedWith, isGone } from '../client-failure.ts';
import { lineFeed, stateFeed } from '../feed.ts';
import { connectIfRunning } from '../wait-for-supervisor.ts';
import { hostClient } from '../host/host-client.ts';
import { askOn, links, metricsOf, statuses } from '../reconnecting-link.ts';
import { followEvents, followLogs, pastEvents } from '../line-feeds.ts';
import type { ReadPlace } from '../manifests/manifest-paths.ts';
import { dataDirOf, ownEnvironment } from '../../os/choose-data-directory.ts';
import { projectId, serviceId } from '../../streams/domain/ids.ts';
import { means } from '../../streams/selection/match.ts';
import { originIn } from '../../streams/wire/params/checked-fields.ts';
import type { ServiceDocument, StatusDocument } from '../../streams/wire/documents/documents.ts';

const METRICS_EVERY_MS = 1_000;
/** The time between two attempts to connect to another machine, ms. */
const HOST_AGAIN_MS = 5_000;

/**
 * Returns the environment, user and directory of this process. The directory is read only when it is needed,
 * because reading it throws if it was removed.
 */
const ownWorld = (): ReadPlace['world'] => ({
  environment: ownEnvironment(),
  uid: process.getuid?.() ?? 0,
  get directory() {
    return process.cwd();
  },
});

const placeOf = ({ dataDir, sys = false, socket }: Place): ReadPlace => {
  const world = ownWorld();
  const directoryOf = (): string => {
    if (dataDir !== undefined) return resolve(dataDir);
    if (socket !== undefined) return dirname(resolve(socket));
    return dataDirOf(world.environment, { sys, directory: world.directory });
  };
  return { dataDir: directoryOf(), sys, world };
};

const dialTo =
  (dataDir: string, { socket, origin: written }: Place) =>
  async (timeout?: number): Promise<Client> => {
    const named = originIn(written);
    const origin = named === undefined ? {} : { origin: named };
    if (socket !== undefined)
      return connectTo(dataDir, { path: resolve(socket), ...origin, ...(timeout && { timeout }) });
    const client = await connectIfRunning(dataDir, timeout, origin);
    if (client === undefined) throw failedWith({ code: 'ERR0206', dataDir });
    return client;
  };

const unlessGone = (thrown: unknown): undefined => {
  if (!isGone(thrown)) throw thrown;
};

/**
 * Returns the service with this name; `undefined` if there is none. Throws ERR0006 if several services have
 * this name.
 */
const serviceIn = ({ projects }: StatusDocument, name: string): ServiceDocument | undefined => {
  const found = projects.flatMap(({ id: project, services }) =>
    services
      .filter((service) =>
        means(name, { id: serviceId(projectId(project), service.name), name: service.name }),
      )
      .map((service) => ({ project, service })),
  );
  if (found.length > 1)
    throw failedWith({ code: 'ERR0006', name, projects: found.map(({ project }) => project) });
  return found[0]?.service;
};

/** Returns a supervisor to watch and command. It connects on first use, and again after a lost connection. */
export const connect = (place: Place = {}): Sup => {
  const checked = optionsOf(place, 'dataDir', 'sys', 'socket', 'host', 'program', 'origin');
  return checked.host === undefined ? here(checked) : there(checked.host, checked);
};

const here = (place: Place): Sup => {
  const read = placeOf(place);
  const { dataDir } = read;
  const dial = dialTo(dataDir, place);
  const link$ = links(() => dial());
  const { members, recorded } = questionsOn({
    place: read,
    ask: (question) => askOn(link$, question),
    open: (patience) => dial(patience).catch(unlessGone),
  });
  return supOn(
    { link$, recorded, absolute: pathHere },
    {
      dataDir,
      events$: lineFeed((signal) => followEvents(dataDir, signal)),
      logs$: (selection, query) =>
        lineFeed((signal) =>
          followLogs({ dataDir, selection: selected(selection), signal }, logQuery(query)),
        ),
      events: async (selection, query) => pastEvents(dataDir, selected(selection), eventQuery(query)),
      ...members,
      ...programCallsOn({ place: read, path: place.program }),
    },
  );
};

/** Returns a supervisor on another machine. */
const there = (host: string, { origin: written, sys = false }: Place): Sup => {
  const origin = originIn(written);
  const { open, members } = hostClient(host, { sys, ...(origin !== undefined && { origin }) });
  const link$ = links(open, HOST_AGAIN_MS);
  const recorded = (): Promise<StatusDocument> => members.status();
  return supOn({ link$, recorded, absolute: pathThere }, { dataDir: host, ...members });
};

type Live = 'status$' | 'metrics$' | 'service$';

interface Connection {
  readonly link$: ReturnType<typeof links>;
  readonly recorded: (loss: ClientFailure) => Promise<StatusDocument>;
  readonly absolute: AbsolutePath;
}

/**
 * Returns a supervisor with the members of `read`, and with streams and commands that use the connection
 * `link$`.
 */
const supOn = (
  { link$, recorded, absolute }: Connection,
  read: Omit<Sup, Live | keyof ReturnType<typeof commandsOn>>,
): Sup => {
  const status$ = statuses(link$, recorded);
  const send: Send = (command, patience) =>
    askOn(link$, (client) => client.call('command', command, { timeoutMs: 0, ...patience }));
  return {
    ...read,
    status$: stateFeed(status$),
    metrics$: stateFeed(metricsOf(link$, METRICS_EVERY_MS)),
    service$: (name) =>
      stateFeed(
        status$.pipe(
          map((status) => serviceIn(status, textOf(name, 'name'))),
          distinctUntilChanged(),
        ),
      ),
    ...commandsOn(send, absolute),
  };
};
