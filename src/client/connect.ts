// The client library: what a program may watch of a supervisor, and what it may ask of it (`docs/api.md`).
import { dirname, resolve } from 'node:path';
import { distinctUntilChanged, map } from 'rxjs';
import { type Client, connect as connectTo } from './client.ts';
import { ClientFailure, failedWith } from './client-failure.ts';
import { type Feed, lineFeed, stateFeed } from './feed.ts';
import { connectIfRunning } from './find-supervisor.ts';
import { askOn, links, metricsOf, statuses } from './link.ts';
import { type EventQuery, followEvents, followLogs, type LogQuery, pastEvents } from './line-feeds.ts';
import { offlineStatus } from './offline-status.ts';
import { dataDirOf, ownEnvironment } from '../os/process-environment.ts';
import type { Command, Done, Selection } from '../streams/domain/command.ts';
import { projectId, serviceId } from '../streams/domain/ids.ts';
import { means } from '../streams/selection/match.ts';
import { doneDocument, planDocument } from '../streams/views/done-document.ts';
import { originIn } from '../streams/wire/checked-fields.ts';
import type { LogDocument } from '../streams/wire/documents/basic-documents.ts';
import type { DoneDocument, PlanDocument } from '../streams/wire/documents/command-documents.ts';
import type {
  InspectDocument,
  ServiceDocument,
  StatusDocument,
} from '../streams/wire/documents/documents.ts';
import type { MetricsDocument } from '../streams/wire/documents/metrics-documents.ts';
import type { EventDocument } from '../streams/wire/documents/event-document.ts';

/** Where the supervisor is; without keys that of this user, as for the command `sup`. */
export interface Place {
  /** The data directory; by default `SUP_DATA_DIR`, else that of the user. */
  readonly dataDir?: string;
  /** The supervisor of the machine, which runs with `--sys`. */
  readonly sys?: boolean;
  /** The path of a control socket. Logs and events are read beside it. */
  readonly socket?: string;
  /** The program, as events are to name what it asks for: `dashboard`, `mcp (claude)`. */
  readonly origin?: string;
}

/** Limits of a command. */
export interface Patience {
  /**
   * After this long, ms, the promise is rejected with ERR0111; the command itself goes on. 0, the default:
   * it waits as long as the supervisor lives.
   */
  readonly timeoutMs?: number;
}

/** How a manifest is read from its start on. */
export interface StartOptions extends Patience {
  /** The profiles whose services are started too. */
  readonly profiles?: readonly string[];
  /** Further files, each of which overrides those before it. */
  readonly files?: readonly string[];
}

/**
 * A supervisor. Nothing is open while nothing is subscribed to and nothing is asked. All promises reject with
 * a `ClientFailure`.
 */
export interface Sup {
  readonly dataDir: string;
  /**
   * The status of all services, complete each time, at most five times a second. Without a supervisor it is
   * what was last recorded, with `supervisor.running: false`.
   */
  readonly status$: Feed<StatusDocument>;
  /** New events, also while no supervisor runs. */
  readonly events$: Feed<EventDocument>;
  /** The metrics of the supervisor and of every service, once a second while a supervisor runs. */
  readonly metrics$: Feed<MetricsDocument>;
  /** One service by its name, `web` or `shop/web`; `undefined` while there is none. ERR0006: several. */
  readonly service$: (name: string) => Feed<ServiceDocument | undefined>;
  /** The last lines of logs, then new ones. */
  readonly logs$: (selection?: Selection, query?: LogQuery) => Feed<LogDocument>;
  /** Resolves to stored events, oldest first. */
  readonly events: (selection?: Selection, query?: EventQuery) => Promise<readonly EventDocument[]>;
  readonly status: (selection?: Selection) => Promise<StatusDocument>;
  readonly inspect: (selection?: Selection) => Promise<InspectDocument>;
  /** Resolves to the changes that `apply` would make. */
  readonly plan: (selection?: Selection, patience?: Patience) => Promise<PlanDocument>;
  /** Starts services, and resolves when they are ready. */
  readonly start: (selection?: Selection, options?: StartOptions) => Promise<DoneDocument>;
  readonly stop: (selection?: Selection, patience?: Patience) => Promise<DoneDocument>;
  readonly restart: (
    selection?: Selection,
    options?: Patience & { readonly withDependents?: boolean },
  ) => Promise<DoneDocument>;
  readonly apply: (selection?: Selection, patience?: Patience) => Promise<DoneDocument>;
  readonly rollback: (selection: Selection, patience?: Patience) => Promise<DoneDocument>;
  /** Sets the numbers of instances: `scale({ web: 4 })`. */
  readonly scale: (counts: Readonly<Record<string, number>>, patience?: Patience) => Promise<DoneDocument>;
  /** Stops the services of a manifest and removes it from the supervisor. */
  readonly forget: (manifest: string, patience?: Patience) => Promise<DoneDocument>;
  /** Records in `events` that the program called something that changes nothing, such as `status`. */
  readonly called: (call: string, times?: number) => Promise<void>;
  /** Stops all services and ends the supervisor. */
  readonly shutdown: (patience?: Patience) => Promise<DoneDocument>;
}

const METRICS_EVERY_MS = 1_000;

const placeOf = ({ dataDir, sys = false, socket }: Place): string => {
  if (dataDir !== undefined) return resolve(dataDir);
  if (socket !== undefined) return dirname(resolve(socket));
  return dataDirOf(ownEnvironment(), { sys, directory: process.cwd() });
};

/** Makes the path of a manifest absolute, as the supervisor needs it. */
const selected = ({ manifest, ...rest }: Selection): Selection => ({
  ...rest,
  ...(manifest !== undefined && { manifest: resolve(manifest) }),
});

const dialTo =
  (dataDir: string, { socket, origin: written }: Place) =>
  async (): Promise<Client> => {
    const named = originIn(written);
    const origin = named === undefined ? {} : { origin: named };
    if (socket !== undefined) return connectTo(dataDir, { path: resolve(socket), ...origin });
    const client = await connectIfRunning(dataDir, undefined, origin);
    if (client === undefined) throw failedWith({ code: 'ERR0206', dataDir });
    return client;
  };

/** Returns the service that the name means. Throws ERR0006 if it means several. */
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

/** Returns what was last recorded; the warning says why it is not the present status. */
const recordedIn =
  (dataDir: string) =>
  ({ document: { code, message } }: ClientFailure): StatusDocument =>
    offlineStatus({ dataDir }, {}, code === 'ERR0205' ? `${code} ${message}` : undefined);

type Send = (command: Command, patience?: Patience) => Promise<Done>;

/** The commands, which resolve when they are carried out. */
const commandsOn = (send: Send): Pick<Sup, CommandName> => {
  const done = async (command: Command, patience?: Patience): Promise<DoneDocument> =>
    doneDocument(command.type, await send(command, patience));
  return {
    start: (selection = {}, { profiles, files, ...patience } = {}) => {
      const reading = {
        ...(profiles && { profiles }),
        ...(files && { files: files.map((file) => resolve(file)) }),
      };
      return done({ type: 'start', selection: selected(selection), reading }, patience);
    },
    stop: (selection = {}, patience) => done({ type: 'stop', selection: selected(selection) }, patience),
    restart: (selection = {}, { withDependents = false, ...patience } = {}) =>
      done(
        { type: 'restart', selection: selected(selection), ...(withDependents && { withDependents }) },
        patience,
      ),
    apply: (selection = {}, patience) => done({ type: 'apply', selection: selected(selection) }, patience),
    rollback: (selection, patience) => done({ type: 'rollback', selection: selected(selection) }, patience),
    scale: (counts, patience) => {
      const written = Object.entries(counts).map(([service, replicas]) => ({ service, replicas }));
      return done({ type: 'scale', counts: written }, patience);
    },
    forget: (manifest, patience) => done({ type: 'forget', manifest: resolve(manifest) }, patience),
    called: async (call, times = 1) => {
      await send({ type: 'called', call, times });
    },
    shutdown: (patience) => done({ type: 'shutdown' }, patience),
    plan: async (selection = {}, patience) => {
      const { plan, warnings } = await send({ type: 'plan', selection: selected(selection) }, patience);
      return planDocument(plan ?? { changes: [] }, warnings);
    },
  };
};

type CommandName =
  'start' | 'stop' | 'restart' | 'apply' | 'rollback' | 'scale' | 'forget' | 'shutdown' | 'plan' | 'called';

/** Returns a supervisor to watch and to command. Connects only when it is used, and again after a loss. */
export const connect = (place: Place = {}): Sup => {
  const dataDir = placeOf(place);
  const link$ = links(dialTo(dataDir, place));
  const status$ = statuses(link$, recordedIn(dataDir));
  const send: Send = (command, patience) =>
    askOn(link$, (client) => client.call('command', command, { timeoutMs: 0, ...patience }));
  return {
    dataDir,
    status$: stateFeed(status$),
    events$: lineFeed((signal) => followEvents(dataDir, signal)),
    metrics$: stateFeed(metricsOf(link$, METRICS_EVERY_MS)),
    service$: (name) =>
      stateFeed(
        status$.pipe(
          map((status) => serviceIn(status, name)),
          distinctUntilChanged(),
        ),
      ),
    logs$: (selection = {}, query = {}) =>
      lineFeed((signal) => followLogs({ dataDir, selection: selected(selection), signal }, query)),
    events: (selection = {}, query = {}) => pastEvents(dataDir, selected(selection), query),
    status: (selection = {}) => askOn(link$, (client) => client.call('status', selected(selection))),
    inspect: (selection = {}) => askOn(link$, (client) => client.call('inspect', selected(selection))),
    ...commandsOn(send),
  };
};
