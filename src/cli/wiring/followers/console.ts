// What services print, on the standard output of a supervisor that was given its manifests (`docs/boot.md`, "In a
// container"): `service | line`, as whoever runs a container looks for it. It is read back from the logs, so that a reader
// who does not keep up delays nobody.
import { setTimeout as pause } from 'node:timers/promises';
import { concatMap, filter, ignoreElements, tap, type Observable } from 'rxjs';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import type { ServiceChange } from '../../../streams/kernel/derived/derived.ts';
import type { Shown, ShownPlace } from '../../../streams/upgrade/handover.ts';
import { stampOf } from '../../../streams/wire/log-line.ts';
import { LogReader, type ServiceEntry } from '../../logs/files/read.ts';
import { lineStyle, type ShowLine } from '../../render/lines/log-line.ts';

export type ConsoleStyle = 'plain' | 'color' | 'json';

interface ConsolePorts {
  readonly dataDir: string;
  readonly style: ConsoleStyle;
  /** Settles when there is room for more; rejects when nobody reads on. */
  readonly write: (text: string) => Promise<void>;
  /** What the program before this one in the same process has shown. */
  readonly before?: Shown | undefined;
}

export interface Console {
  /** Services as they are declared; each is followed from then on, with what it has printed since this began. */
  follow(service$: Observable<ServiceChange>): Observable<never>;
  /** What it has printed by now. */
  shown(): Shown;
  /** Prints nothing more, and tells what it has printed. */
  pause(): Promise<Shown>;
  /** Behind a pause. */
  resume(): void;
  /** Prints what has come by then. Settles at the latest two seconds later, be there a reader or not. */
  close(): Promise<void>;
}

/** Enough to lose nothing of what was printed since. */
const ALL_LINES = 1_000_000;
const LAST_LINES_MS = 2_000;

const styleOf = (services: readonly ServiceId[], style: ConsoleStyle): ShowLine =>
  lineStyle({ services, json: style === 'json', prefix: true, color: style === 'color' });

/** Prints what is read, round after round, until it is told to stop. */
class Printer {
  readonly #reader: LogReader;
  readonly #print: (entries: readonly ServiceEntry[]) => Promise<void>;
  #enough = new AbortController();
  #paused = false;
  #printing: Promise<void>;
  /** All before is printed. */
  #places: readonly ShownPlace[] = [];

  constructor(reader: LogReader, print: (entries: readonly ServiceEntry[]) => Promise<void>) {
    this.#reader = reader;
    this.#print = print;
    this.#printing = this.#run();
  }

  places(): readonly ShownPlace[] {
    return this.#places;
  }

  async pause(): Promise<readonly ShownPlace[]> {
    this.#paused = true;
    await this.stop();
    return this.#places;
  }

  resume(): void {
    this.#paused = false;
    this.#enough = new AbortController();
    this.#printing = this.#printing.then(() => this.#run());
  }

  /** Settles at the latest two seconds later. */
  async stop(): Promise<void> {
    this.#enough.abort();
    await Promise.race([this.#printing, pause(LAST_LINES_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    try {
      for await (const entries of this.#reader.follow(this.#enough.signal)) {
        const places = this.#reader.places();
        await this.#print(entries);
        this.#places = places;
        if (this.#paused) return;
      }
    } catch {
      // Nobody reads on.
    }
  }
}

/** Opens the logs as they are now, or where `before` has come to; nothing is printed before `follow`. */
export const consoleOutput = async ({ dataDir, style, write, before }: ConsolePorts): Promise<Console> => {
  const since = before?.since ?? stampOf(new Date());
  const reader = await LogReader.open(dataDir, [], { lines: ALL_LINES, since });
  const known = new Set<ServiceId>();
  let show = styleOf([], style);
  const print = async (entries: readonly ServiceEntry[]): Promise<void> => {
    if (entries.length > 0) await write(entries.map((entry) => `${show(entry)}\n`).join(''));
  };
  const add = (id: ServiceId): Promise<void> => {
    show = styleOf([...known], style);
    const place = before?.places.find(({ service }) => service === id);
    return place === undefined ? reader.add(id) : reader.addAt(place);
  };
  const printer = new Printer(reader, print);
  const screen: Console = {
    follow(service$) {
      return service$.pipe(
        filter(({ id, service }) => service !== undefined && !known.has(id)),
        tap(({ id }) => known.add(id)),
        concatMap(({ id }) => add(id)),
        ignoreElements(),
      );
    },
    shown: () => ({ since, places: printer.places() }),
    pause: async () => ({ since, places: await printer.pause() }),
    resume: () => printer.resume(),
    close: async () => {
      await printer.stop();
      await reader.close();
    },
  };
  return screen;
};
