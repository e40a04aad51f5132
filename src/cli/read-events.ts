// Reads events, with or without a supervisor: the existing ones, then new ones, across rotation.
import { setTimeout as pause } from 'node:timers/promises';
import { projectId, serviceId, type ServiceId } from '../streams/domain/ids.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import { isFields } from '../streams/wire/checked-fields.ts';
import type { EventDocument } from '../streams/wire/documents/event-document.ts';
import type { LogEntry } from '../streams/wire/log-line.ts';
import type { Stretch } from './commands/logs/log-arguments.ts';
import { Follower } from '../sources/logs/follower.ts';
import { readTail } from '../sources/logs/tail.ts';

/** How often to look for more, ms. */
const LOOK_EVERY = 100;

/** Keys that every line has, also one of an older supervisor. */
const SAID = ['at', 'cause'] as const;

const isEvent = (value: unknown): value is EventDocument =>
  isFields(value) && value['schema'] === 'sup.event/1' && SAID.every((key) => typeof value[key] === 'string');

/** Keys that lines of an older supervisor lack: they are all about states. */
const OF_OLD = { kind: 'state', child: null, rollout: null } as const;

/** Skips lines that are not ours, or were cut off when the supervisor was killed. */
const eventIn = ({ text }: LogEntry): readonly EventDocument[] => {
  try {
    const value: unknown = JSON.parse(text);
    return isEvent(value) ? [{ ...OF_OLD, ...value }] : [];
  } catch {
    return [];
  }
};

/** Returns the event's service, or `undefined` if it is about the supervisor itself. */
export const serviceOf = ({ project, service }: EventDocument): ServiceId | undefined =>
  project === null || service === null ? undefined : serviceId(projectId(project), service);

const stamp = ({ at }: EventDocument): string => at.replace('Z', '000Z');

/** True if it happened in that stretch of time. */
export const isWithin = (event: EventDocument, { since, until }: Stretch): boolean =>
  (since === undefined || stamp(event) >= since) && (until === undefined || stamp(event) <= until);

export class EventReader {
  readonly #path: string;
  readonly #follower: Follower;

  private constructor(path: string, follower: Follower) {
    this.#path = path;
    this.#follower = follower;
  }

  /** Fixes the present end: `past` reads up to it, `follow` from it. */
  static async open(dataDir: string): Promise<EventReader> {
    const { events } = layoutOf(dataDir);
    return new EventReader(events, await Follower.open(events, {}));
  }

  /** Returns all events that are kept, oldest first: two files of bounded size. */
  async past(): Promise<readonly EventDocument[]> {
    return (await readTail(this.#path, this.#follower.file, { lines: Infinity })).flatMap(eventIn);
  }

  /** Yields new events until `signal` is aborted. */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly EventDocument[]> {
    while (!signal.aborted) {
      const read = await this.#follower.read();
      if (read === undefined) await pause(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
      else yield read.flatMap(eventIn);
    }
  }

  /** Returns the events since the last look. */
  async news(): Promise<readonly EventDocument[]> {
    return ((await this.#follower.read()) ?? []).flatMap(eventIn);
  }

  async close(): Promise<void> {
    await this.#follower.close();
  }
}
