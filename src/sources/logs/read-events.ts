// Reads events from disk, with or without a running supervisor: first existing events, then new ones, also
// across a rotation of the file.
import { setTimeout as pause } from 'node:timers/promises';
import { projectId, serviceId, type ServiceId } from '../../streams/domain/ids.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { fieldsIn, isFields } from '../../streams/wire/params/checked-fields.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import type { LogEntry } from '../../streams/wire/log-line.ts';
import { Follower } from './follower.ts';
import type { Wanted } from './line-filter.ts';
import { readTail } from './read-backwards.ts';

/** Interval at which the file is checked for new events, ms. */
const LOOK_EVERY = 100;

/**
 * The keys that every event has, also in a file of an older supervisor. A line without these keys is no
 * event.
 */
const SAID = ['at', 'cause'] as const;

const isEvent = (value: unknown): value is EventDocument =>
  isFields(value) && value['schema'] === 'sup.event/1' && SAID.every((key) => typeof value[key] === 'string');

/** Values for keys that events of an older supervisor lack, because it wrote only events about states. */
const OF_OLD = { kind: 'state', child: null, rollout: null } as const;

/** Returns the event in a line, if it is complete and of this format. */
const eventIn = ({ text }: LogEntry): readonly EventDocument[] => {
  const value = fieldsIn(text);
  return isEvent(value) ? [{ ...OF_OLD, ...value }] : [];
};

/** Returns the service of an event; `undefined` if the event is about the supervisor itself. */
export const serviceOf = ({ project, service }: EventDocument): ServiceId | undefined =>
  project === null || service === null ? undefined : serviceId(projectId(project), service);

const stamp = ({ at }: EventDocument): string => at.replace('Z', '000Z');

type Stretch = Pick<Wanted, 'since' | 'until'>;

/** True if the event happened within the time range, which is in the format of log lines. */
export const isWithin = (event: EventDocument, { since, until }: Stretch): boolean =>
  (since === undefined || stamp(event) >= since) && (until === undefined || stamp(event) <= until);

export class EventReader {
  readonly #path: string;
  readonly #follower: Follower;

  private constructor(path: string, follower: Follower) {
    this.#path = path;
    this.#follower = follower;
  }

  /**
   * Opens the log of events. `past` reads the events before the present end of the log, `follow` and `news`
   * the events after it.
   */
  static async open(dataDir: string): Promise<EventReader> {
    const { events } = layoutOf(dataDir);
    return new EventReader(events, await Follower.open(events, {}));
  }

  /**
   * Resolves to all stored events, oldest first. They fit into memory, because they are in two files of
   * limited size.
   */
  async past(): Promise<readonly EventDocument[]> {
    return (await readTail(this.#path, this.#follower.file, { lines: Infinity })).flatMap(eventIn);
  }

  /** Yields new events until `signal` aborts. */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly EventDocument[]> {
    while (!signal.aborted) {
      const read = await this.#follower.read();
      if (read === undefined) await pause(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
      else yield read.flatMap(eventIn);
    }
  }

  /** Resolves to the events since the last call of `news`. */
  async news(): Promise<readonly EventDocument[]> {
    return ((await this.#follower.read()) ?? []).flatMap(eventIn);
  }

  async close(): Promise<void> {
    await this.#follower.close();
  }
}
