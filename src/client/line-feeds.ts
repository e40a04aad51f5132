// Logs and events for programs, read from the files of a data directory, with or without a supervisor.
// Rules: `docs/behaviour.md`, "Output", "Reading".
import { ClientFailure, failedWith } from './client-failure.ts';
import { selectedPast } from './past-services.ts';
import { momentOf } from '../sources/logs/line-filter.ts';
import { LogReader } from '../sources/logs/log-reader.ts';
import type { ServiceEntry } from '../sources/logs/merge.ts';
import { EventReader, isWithin, serviceOf } from '../sources/logs/read-events.ts';
import type { TailWanted } from '../sources/logs/read-backwards.ts';
import type { Selection } from '../streams/domain/command.ts';
import type { ServiceId } from '../streams/domain/ids.ts';
import { Failure } from '../streams/views/errors/command-failure.ts';
import { logDocument } from '../streams/views/words/log-entry-text.ts';
import { shown } from '../streams/wire/params/checked-fields.ts';
import type { LogDocument } from '../streams/wire/documents/basic-documents.ts';
import type { EventDocument } from '../streams/wire/documents/event-document.ts';
import { stampOf } from '../streams/wire/log-line.ts';

/** A moment: a date, or a text as for `sup logs --since`, such as `10m`, `today` or an ISO 8601 time. */
export type Moment = Date | string;

interface TimeRange {
  readonly since?: Moment;
  readonly until?: Moment;
}

/** Selects lines of logs. */
export interface LogQuery extends TimeRange {
  /** The number of last lines of each service. The default is 100, or all lines if a time range is given. */
  readonly lines?: number;
  /** Selects only lines that match this expression. */
  readonly grep?: RegExp;
  /** Selects only lines of this stream, such as `stderr`. */
  readonly stream?: string;
  /** If false, the feed ends after the existing lines. By default it continues with new lines. */
  readonly follow?: boolean;
}

/** Selects events. */
export interface EventQuery extends TimeRange {
  readonly kinds?: readonly EventDocument['kind'][];
  /** The maximum number of events. The newest events are returned. */
  readonly last?: number;
}

const LAST_LINES = 100;

/** Returns the moment in the format of log lines. Throws ERR0200 for a text that is not a moment. */
const stampedMoment = (moment: Moment): string => {
  const at = moment instanceof Date ? stampOf(moment) : momentOf(moment, new Date());
  if (at === undefined)
    throw failedWith({ code: 'ERR0200', detail: `${shown(moment)} is neither a length of time nor a date` });
  return at;
};

const rangeOf = ({ since, until }: TimeRange): { readonly since?: string; readonly until?: string } => ({
  ...(since !== undefined && { since: stampedMoment(since) }),
  ...(until !== undefined && { until: stampedMoment(until) }),
});

/** Returns the selected services, including removed services that still have logs or events. */
const servicesOf = (
  selection: Selection,
  dataDir: string,
  beside: readonly ServiceId[] = [],
): readonly ServiceId[] => {
  try {
    return selectedPast(selection, { dataDir }, beside);
  } catch (error) {
    throw error instanceof Failure ? new ClientFailure(error.document) : error;
  }
};

/** How often to look for services that were declared later, ms. */
const LOOK_FOR_NEW_MS = 1_000;

/**
 * Yields the existing lines. If `lines` is `Infinity`, yields all lines in several lists, otherwise the last
 * lines in one list.
 */
export async function* pastLines(reader: LogReader, lines: number): AsyncGenerator<readonly ServiceEntry[]> {
  if (lines === Infinity) yield* reader.past();
  else yield await reader.tail();
}

interface Following {
  readonly signal: AbortSignal;
  /**
   * Returns the services that are selected at the time of the call; absent if the selection cannot change.
   */
  readonly wantedNow?: () => readonly ServiceId[];
}

/**
 * Yields new lines of the selected services. If a selected service is declared later, yields all its lines
 * that are newer than this call.
 */
export async function* followed(
  reader: LogReader,
  wanted: TailWanted,
  { signal, wantedNow }: Following,
): AsyncGenerator<readonly ServiceEntry[]> {
  const all = { ...wanted, lines: Infinity, since: stampOf(new Date()) };
  let looked = performance.now();
  for await (const entries of reader.follow(signal)) {
    yield entries;
    if (wantedNow === undefined || performance.now() - looked < LOOK_FOR_NEW_MS) continue;
    looked = performance.now();
    const known = new Set(reader.services());
    for (const id of wantedNow()) if (!known.has(id)) await reader.add(id, all);
  }
}

interface LogPlace {
  readonly dataDir: string;
  readonly selection: Selection;
  readonly signal: AbortSignal;
}

/**
 * Returns a function that selects the services again. If a name has become ambiguous, that function returns
 * `before`.
 */
const reselecting =
  ({ dataDir, selection }: LogPlace, before: readonly ServiceId[]) =>
  () => {
    try {
      return servicesOf(selection, dataDir);
    } catch {
      return before;
    }
  };

const wantedBy = (query: LogQuery): TailWanted => {
  const { grep, stream } = query;
  const range = rangeOf(query);
  const lines = query.lines ?? (Object.keys(range).length === 0 ? LAST_LINES : Infinity);
  return { lines, ...range, ...(grep && { grep }), ...(stream !== undefined && { stream }) };
};

/** Yields the existing lines, oldest first, and after that new lines until the signal aborts. */
export async function* followLogs(place: LogPlace, query: LogQuery): AsyncGenerator<LogDocument> {
  const wanted = wantedBy(query);
  const services = servicesOf(place.selection, place.dataDir);
  const reader = await LogReader.open(place.dataDir, services, wanted);
  try {
    for await (const entries of pastLines(reader, wanted.lines)) yield* entries.map(logDocument);
    if (query.follow === false) return;
    const following = { signal: place.signal, wantedNow: reselecting(place, services) };
    for await (const entries of followed(reader, wanted, following)) yield* entries.map(logDocument);
  } finally {
    await reader.close();
  }
}

/** Yields new events until the signal aborts. */
export async function* followEvents(dataDir: string, signal: AbortSignal): AsyncGenerator<EventDocument> {
  const reader = await EventReader.open(dataDir);
  try {
    for await (const events of reader.follow(signal)) yield* events;
  } finally {
    await reader.close();
  }
}

/** Resolves to stored events, oldest first; without a selection also those of the supervisor itself. */
export const pastEvents = async (
  dataDir: string,
  selection: Selection,
  query: EventQuery,
): Promise<readonly EventDocument[]> => {
  const range = rangeOf(query);
  const reader = await EventReader.open(dataDir);
  try {
    const past = await reader.past();
    const ids = past.flatMap((event) => serviceOf(event) ?? []);
    const isAll = Object.keys(selection).length === 0;
    const chosen = new Set<ServiceId | undefined>(
      isAll ? [] : servicesOf(selection, dataDir, [...new Set(ids)]),
    );
    const wanted = past.filter(
      (event) =>
        isWithin(event, range) &&
        (isAll || chosen.has(serviceOf(event))) &&
        (query.kinds?.includes(event.kind) ?? true),
    );
    return wanted.slice(Math.max(0, wanted.length - (query.last ?? Infinity)));
  } finally {
    await reader.close();
  }
};
