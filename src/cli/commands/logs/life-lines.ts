// Shows state changes between the lines of output (`docs/commands.md`, "logs"): a run is ready, or has ended.
import type { ServiceId } from '../../../streams/domain/ids.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { EventDocument } from '../../../streams/wire/documents/event-document.ts';
import { EventReader, serviceOf } from '../../../sources/logs/read-events.ts';
import { byTime, type ServiceEntry } from '../../../sources/logs/merge.ts';
import { isAfter, isBefore, matches, type Wanted } from '../../../sources/logs/line-filter.ts';
import type { StateWord } from '../../../streams/wire/documents/basic-documents.ts';

/** States that a service enters when its run has ended. */
const ENDS: ReadonlySet<StateWord> = new Set<StateWord>([
  ...(['backoff', 'failed', 'stopped', 'done', 'breaker-open'] as const),
  ...(['casualty', 'lost', 'scheduled'] as const),
]);

const shown = (number: number | null): string => (number === null ? '?' : String(number));

const endText = ({ from, to, reason }: EventDocument): string | undefined => {
  const isEnd = to !== null && ENDS.has(to) && from !== null && from !== 'waiting';
  if (!isEnd) return undefined;
  return reason === null ? to : `${to}: ${shownLine(reason)}`;
};

const textOf = (event: EventDocument): string | undefined => {
  const { kind, from, to, run, pid } = event;
  if (kind !== 'state' || from === to) return undefined;
  return to === 'running' ? `run ${shown(run)} is ready, pid ${shown(pid)}` : endText(event);
};

const entryOf = (event: EventDocument): readonly ServiceEntry[] => {
  const [service, text] = [serviceOf(event), textOf(event)];
  if (service === undefined || text === undefined) return [];
  return [{ service, text, at: event.at.replace('Z', '000Z'), stream: 'sup', continues: false }];
};

/** Returns the state changes that match the options, as entries. */
const wantedIn = (events: readonly EventDocument[], wanted: Wanted): readonly ServiceEntry[] =>
  events
    .flatMap(entryOf)
    .filter((entry) => matches(entry, wanted) && !isBefore(entry, wanted) && !isAfter(entry, wanted));

/** A reader that returns state changes as entries, in the form of log lines. */
type Life = Pick<LifeReader, 'among' | 'rest' | 'news' | 'close'>;

/** A reader that returns no state changes, for output in which they are not shown. */
export const NO_LIFE: Life = {
  among: (lines) => Promise.resolve(lines),
  rest: () => Promise.resolve([]),
  news: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

export class LifeReader {
  readonly #events: EventReader;
  readonly #wanted: Wanted;
  /** Time of the first line of each service. */
  readonly #first = new Map<ServiceId, string>();
  #past: readonly ServiceEntry[] | undefined;
  /** Number of entries of `#past` that were returned or skipped. */
  #taken = 0;

  private constructor(events: EventReader, wanted: Wanted) {
    this.#events = events;
    this.#wanted = wanted;
  }

  static async open(dataDir: string, wanted: Wanted): Promise<LifeReader> {
    return new LifeReader(await EventReader.open(dataDir), wanted);
  }

  /**
   * Returns the lines and the state changes up to the last line, sorted by time. The next call continues
   * after that line. Leaves out changes of a service before its first line.
   */
  async among(lines: readonly ServiceEntry[]): Promise<readonly ServiceEntry[]> {
    for (const { service, at } of lines)
      if (at !== '' && !this.#first.has(service)) this.#first.set(service, at);
    const last = lines.reduce((latest, { at }) => (at > latest ? at : latest), '');
    return byTime([lines, await this.#upTo(last)]);
  }

  /** Returns the state changes after the last line. */
  rest(): Promise<readonly ServiceEntry[]> {
    return this.#upTo('~');
  }

  /** Returns the state changes of the services since the last call of `news`, as entries. */
  async news(services: readonly ServiceId[]): Promise<readonly ServiceEntry[]> {
    const all = new Set(services);
    return wantedIn(await this.#events.news(), this.#wanted).filter(({ service }) => all.has(service));
  }

  /**
   * Returns the state changes that were not returned yet, up to this time. Leaves out changes of a service
   * before its first line.
   */
  async #upTo(time: string): Promise<readonly ServiceEntry[]> {
    this.#past ??= wantedIn(await this.#events.past(), this.#wanted);
    const from = this.#taken;
    while ((this.#past[this.#taken]?.at ?? '~~') <= time) this.#taken += 1;
    const life = this.#past.slice(from, this.#taken);
    return life.filter(({ service, at }) => at >= (this.#first.get(service) ?? '~'));
  }

  async close(): Promise<void> {
    await this.#events.close();
  }
}
