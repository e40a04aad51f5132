// Shows state changes between the lines of output (`docs/commands.md`, "logs"): a run is ready, or has ended.
import type { ServiceId } from '../../../streams/domain/ids.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { EventDocument } from '../../../streams/wire/documents/event-document.ts';
import { EventReader, serviceOf } from '../../read-events.ts';
import type { ServiceEntry } from '../../../sources/logs/log-reader.ts';
import { isAfter, isBefore, matches, type Wanted } from '../../../sources/logs/line-filter.ts';
import type { StateWord } from '../../../streams/wire/documents/basic-documents.ts';

/** States that a service enters when a run has ended. */
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

/** Returns the state changes of `services` that match the options, as entries. */
const wantedIn = (
  events: readonly EventDocument[],
  services: readonly ServiceId[],
  wanted: Wanted,
): readonly ServiceEntry[] => {
  const all = new Set(services);
  return events
    .flatMap(entryOf)
    .filter((entry) => all.has(entry.service) && matches(entry, wanted))
    .filter((entry) => !isBefore(entry, wanted) && !isAfter(entry, wanted));
};

/** Source of the entries for state changes. */
type Life = Pick<LifeReader, 'among' | 'news' | 'close'>;

/** A source without entries: state changes are not shown. */
export const NO_LIFE: Life = {
  among: () => Promise.resolve([]),
  news: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

export class LifeReader {
  readonly #events: EventReader;
  readonly #wanted: Wanted;

  private constructor(events: EventReader, wanted: Wanted) {
    this.#events = events;
    this.#wanted = wanted;
  }

  static async open(dataDir: string, wanted: Wanted): Promise<LifeReader> {
    return new LifeReader(await EventReader.open(dataDir), wanted);
  }

  /** Returns past state changes as entries, for each service from its first line on. */
  async among(lines: readonly ServiceEntry[]): Promise<readonly ServiceEntry[]> {
    const first = new Map<ServiceId, string>();
    for (const { service, at } of lines) if (at !== '' && !first.has(service)) first.set(service, at);
    const life = wantedIn(await this.#events.past(), [...first.keys()], this.#wanted);
    return life.filter(({ service, at }) => at >= (first.get(service) ?? ''));
  }

  /** Returns the state changes of the services since the last call of `news`, as entries. */
  async news(services: readonly ServiceId[]): Promise<readonly ServiceEntry[]> {
    return wantedIn(await this.#events.news(), services, this.#wanted);
  }

  async close(): Promise<void> {
    await this.#events.close();
  }
}
