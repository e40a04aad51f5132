// Reads logs, events, samples and records for the full-screen view, and carries out its actions.
import type { Observable } from 'rxjs';
import { programCallsOn } from '../../client/api/program-calls.ts';
import { ClientFailure } from '../../client/client-failure.ts';
import { lineFeed } from '../../client/feed.ts';
import { explained } from '../../client/inspect/explain.ts';
import { inspecting } from '../../client/inspect/inspector.ts';
import { askOn, type SupervisorLink } from '../../client/reconnecting-link.ts';
import { offlineStatus } from '../../client/offline-status.ts';
import { EventReader } from '../../sources/logs/read-events.ts';
import { LogReader } from '../../sources/logs/log-reader.ts';
import type { ServiceEntry } from '../../sources/logs/merge.ts';
import type { Command, Done, Selection } from '../../streams/domain/command.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { nameOf, projectId, serviceId, type ServiceId } from '../../streams/domain/ids.ts';
import { instant } from '../../streams/domain/time.ts';
import { Failure } from '../../streams/views/errors/command-failure.ts';
import type { ProjectDocument } from '../../streams/wire/documents/documents.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import type { WhyDocument } from '../../streams/wire/documents/why-document.ts';
import type { LogEntry } from '../../streams/wire/log-line.ts';
import type { SamplesAnswer } from '../../streams/wire/protocol.ts';
import type { Context } from '../context.ts';
import { outcomeLines } from '../render/outcome-lines.ts';
import { actionText, remarkLines } from './model/page-shares.ts';
import type { Remark, ServiceAction } from './model/scene.ts';
import { TREND_MS } from './model/trends.ts';

export interface Session {
  /** Carries out an action. Resolves to a message about the result, also if the action fails. */
  readonly act: (action: ServiceAction) => Promise<Remark>;
  /** Resolves to the samples of the time span that the charts show. */
  readonly samples: () => Promise<SamplesAnswer>;
  readonly explain: (row: string) => Promise<WhyDocument | string>;
  readonly recorded: () => readonly ProjectDocument[];
  /** Emits the last lines of the logs of these services in one list, then new lines. */
  readonly logs$: (services: readonly string[]) => Observable<readonly LogEntry[]>;
  /** Emits the last events in one list, then new events. */
  readonly events$: Observable<readonly EventDocument[]>;
}

/** Number of last lines that are read for each service when a log is opened. */
const LAST_LINES = 1_000;
const LAST_EVENTS = 1_000;
/** Timeout for a command that a key press starts, ms. It is long because a stop can take long. */
const COMMAND_MS = 120_000;
const MOST_NAMES = 4;

/** Converts `project/service` to an id. */
const idOf = (service: string): ServiceId => {
  const [project = '', name = ''] = service.split('/');
  return serviceId(projectId(project), name);
};

const withInstance = (entry: ServiceEntry): LogEntry => ({
  ...entry,
  text: `${nameOf(entry.service)}  ${entry.text}`,
});

async function* logLines(
  dataDir: string,
  services: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<readonly LogEntry[]> {
  const shown = (entries: readonly ServiceEntry[]): readonly LogEntry[] =>
    services.length === 1 ? entries : entries.map(withInstance);
  const reader = await LogReader.open(dataDir, services.map(idOf), { lines: LAST_LINES });
  try {
    yield shown(await reader.tail());
    for await (const entries of reader.follow(signal)) {
      if (signal.aborted) return;
      if (entries.length > 0) yield shown(entries);
    }
  } finally {
    await reader.close();
  }
}

async function* eventLists(dataDir: string, signal: AbortSignal): AsyncGenerator<readonly EventDocument[]> {
  const reader = await EventReader.open(dataDir);
  try {
    yield (await reader.past()).slice(-LAST_EVENTS);
    for await (const events of reader.follow(signal)) if (!signal.aborted) yield events;
  } finally {
    await reader.close();
  }
}

/**
 * Returns a message with code, text and hint of the error. If the error contains errors, these are of the
 * first one.
 */
export const failureRemark = (what: string, thrown: unknown): Remark => {
  if (!(thrown instanceof ClientFailure || thrown instanceof Failure))
    return { text: `${what}: ${messageOf(thrown)}`, ink: 'red' };
  const [first = thrown.document, ...more] = thrown.document.errors ?? [];
  const rest = more.length === 0 ? '' : `, and ${more.length} more`;
  return { text: `${what}: ${first.code} ${first.message}${rest}`, ink: 'red', hint: first.hint };
};

const commandOf = (action: Exclude<ServiceAction, { type: 'reload' }>): Command =>
  action.type === 'scale'
    ? { type: 'scale', counts: [{ service: action.row, replicas: action.replicas }] }
    : { type: action.type, selection: { services: [action.row] } };

/**
 * Carries out the action. For a reload it runs `sup reload` as a separate process, because a reload sends
 * signals and runs commands.
 */
const doneBy = async (
  link$: Observable<SupervisorLink>,
  context: Context,
  action: ServiceAction,
): Promise<Done> => {
  const patience = { timeoutMs: COMMAND_MS };
  if (action.type !== 'reload')
    return askOn(link$, (client) => client.call('command', commandOf(action), patience));
  const { services, warnings } = await programCallsOn({ place: context }).reload(
    { services: [action.row] },
    patience,
  );
  return { outcomes: services.map(({ service, what }) => ({ service: idOf(service), what })), warnings };
};

/** Carries out the action. Resolves to a text about its result. */
const acted = async (
  link$: Observable<SupervisorLink>,
  context: Context,
  action: ServiceAction,
): Promise<string> => {
  const { outcomes, warnings } = await doneBy(link$, context, action);
  const lines = outcomeLines(outcomes, MOST_NAMES);
  const done = lines.length === 0 ? ['0 services'] : lines;
  return [...done, ...warnings.map((warning) => `warning: ${warning}`)].join('; ');
};

export const sessionOf = (
  context: Context,
  link$: Observable<SupervisorLink>,
  selection: Selection,
): Session => {
  const { dataDir } = context;
  return {
    act: async (action) => {
      try {
        return { text: await acted(link$, context, action), ink: 'green' };
      } catch (thrown) {
        return failureRemark(actionText(action), thrown);
      }
    },
    samples: () =>
      askOn(link$, (client) => client.call('samples', { selection, since: instant(Date.now() - TREND_MS) })),
    explain: async (row) => {
      try {
        return await inspecting(
          context,
          (question) => askOn(link$, question),
          async (inspector) => {
            const { services } = await inspector.inspect({ services: [row] });
            return explained(context, inspector, services);
          },
        );
      } catch (thrown) {
        return remarkLines(failureRemark('why', thrown)).join('\n');
      }
    },
    recorded: () => offlineStatus({ dataDir }, selection, undefined).projects,
    logs$: (services) => lineFeed((signal) => logLines(dataDir, services, signal)),
    events$: lineFeed((signal) => eventLists(dataDir, signal)),
  };
};
