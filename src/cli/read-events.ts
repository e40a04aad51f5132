// Reading what happened, with or without a supervisor: what is there, then what comes, across rotation.
import { setTimeout as pause } from 'node:timers/promises';
import { projectId, serviceId, type ServiceId } from '../streams/domain/ids.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import { isFields } from '../streams/wire/check.ts';
import type { EventDocument } from '../streams/wire/documents/event-document.ts';
import type { LogEntry } from '../streams/wire/log-line.ts';
import type { Stretch } from './commands/logs/arguments.ts';
import { Follower } from '../sources/logs/follower.ts';
import { readTail } from '../sources/logs/tail.ts';

/** How often to look whether there is more; ms. */
const LOOK_EVERY = 100;

/** What every line has, an older supervisor's, too. */
const SAID = ['at', 'cause'] as const;

const isEvent = (value: unknown): value is EventDocument =>
  isFields(value) && value['schema'] === 'sup.event/1' && SAID.every((key) => typeof value[key] === 'string');

/** What lines of an older supervisor do not say: they all are of states. */
const OF_OLD = { kind: 'state', child: null, rollout: null } as const;

/** A line that is none of ours, or was cut off when the supervisor was killed, is left out. */
const eventIn = ({ text }: LogEntry): readonly EventDocument[] => {
  try {
    const value: unknown = JSON.parse(text);
    return isEvent(value) ? [{ ...OF_OLD, ...value }] : [];
  } catch {
    return [];
  }
};

/** `undefined`: it is about the supervisor itself. */
export const serviceOf = ({ project, service }: EventDocument): ServiceId | undefined =>
  project === null || service === null ? undefined : serviceId(projectId(project), service);

const stamp = ({ at }: EventDocument): string => at.replace('Z', '000Z');

/** Whether it happened in that stretch of time. */
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

  /** All that is kept, oldest first: two files of bounded size. */
  async past(): Promise<readonly EventDocument[]> {
    return (await readTail(this.#path, this.#follower.file, { lines: Infinity })).flatMap(eventIn);
  }

  /** What comes, until `signal`. */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly EventDocument[]> {
    while (!signal.aborted) {
      const read = await this.#follower.read();
      if (read === undefined) await pause(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
      else yield read.flatMap(eventIn);
    }
  }

  /** What has come since the last look. */
  async news(): Promise<readonly EventDocument[]> {
    return ((await this.#follower.read()) ?? []).flatMap(eventIn);
  }

  async close(): Promise<void> {
    await this.#follower.close();
  }
}
