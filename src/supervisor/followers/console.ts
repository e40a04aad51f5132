// Prints the output of services on the standard output of a supervisor that was given its manifests
// (`docs/boot.md`, "In a container"): `service | line`, as container users expect. It is read back from the
// logs, so that a slow reader delays no service.
import { setTimeout as pause } from 'node:timers/promises';
import { concatMap, filter, ignoreElements, type Observable } from 'rxjs';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { ServiceChange } from '../../streams/kernel/derived/derived.ts';
import type { ShownOutput, ShownPlace } from '../../streams/upgrade/handover.ts';
import { stampOf } from '../../streams/wire/log-line.ts';
import { LogReader, type ServiceEntry } from '../../sources/logs/log-reader.ts';
import { lineStyle, type ShowLine } from '../../streams/views/words/log-entry-text.ts';

export type ConsoleStyle = 'plain' | 'color' | 'json';

/** Writes texts to the console, one after the other. */
export interface ConsoleWriter {
  /** Settles when all of it is written; rejects when the reader is gone. */
  readonly write: (text: Buffer) => Promise<void>;
  /** Returns the part of the last text that is not written yet. */
  readonly unwritten: () => Buffer;
}

interface ConsolePorts {
  readonly dataDir: string;
  readonly style: ConsoleStyle;
  readonly screen: ConsoleWriter;
  /** What the previous program in this process has shown. */
  readonly before?: ShownOutput | undefined;
}

export interface Console {
  /** Follows each service from its declaration on, with what it has printed since the console was opened. */
  follow(service$: Observable<ServiceChange>): Observable<never>;
  /** Returns how far it has printed, and which text still waits for a reader. */
  shown(): ShownOutput;
  /** Stops printing. Settles within two seconds, even without a reader. */
  pause(): Promise<void>;
  /** Continues after a pause. */
  resume(): void;
  /** Prints what has arrived so far, then stops. Settles within two seconds, even without a reader. */
  close(): Promise<void>;
}

/** Enough to lose nothing that was printed since then. */
const ALL_LINES = 1_000_000;
const LAST_LINES_MS = 2_000;

const styleOf = (services: readonly ServiceId[], style: ConsoleStyle): ShowLine =>
  lineStyle({ services, json: style === 'json', prefix: true, color: style === 'color' });

/** Prints what is read, round by round, until it is stopped. */
class Printer {
  readonly #reader: LogReader;
  readonly #print: (entries: readonly ServiceEntry[]) => Promise<void>;
  #enough = new AbortController();
  #paused = false;
  #printing: Promise<void>;
  /** Everything before these places is printed or being printed. */
  #places: readonly ShownPlace[] = [];

  constructor(reader: LogReader, print: (entries: readonly ServiceEntry[]) => Promise<void>) {
    this.#reader = reader;
    this.#print = print;
    this.#printing = this.#run();
  }

  places(): readonly ShownPlace[] {
    return this.#places;
  }

  pause(): Promise<void> {
    this.#paused = true;
    return this.stop();
  }

  resume(): void {
    this.#paused = false;
    this.#enough = new AbortController();
    this.#printing = this.#printing.then(() => this.#run());
  }

  /** Settles within two seconds. */
  async stop(): Promise<void> {
    this.#enough.abort();
    await Promise.race([this.#printing, pause(LAST_LINES_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    try {
      for await (const entries of this.#reader.follow(this.#enough.signal)) {
        this.#places = this.#reader.places();
        await this.#print(entries);
        if (this.#paused) return;
      }
    } catch {
      // The reader is gone.
    }
  }
}

/** Returns a screen that first writes what the previous program still owed. */
const owing = (screen: ConsoleWriter, before: ShownOutput | undefined): ConsoleWriter => {
  let owed = Buffer.from(before?.unwritten ?? '', 'base64');
  return {
    write: (text) => {
      const all = Buffer.concat([owed, text]);
      owed = Buffer.alloc(0);
      return all.length === 0 ? Promise.resolve() : screen.write(all);
    },
    unwritten: () => Buffer.concat([screen.unwritten(), owed]),
  };
};

interface Followed {
  readonly reader: LogReader;
  readonly style: ConsoleStyle;
  /** Where the previous program was. */
  readonly before: readonly ShownPlace[];
}

/** The declared services, with the logs that are read. */
class Cast {
  readonly #reader: LogReader;
  readonly #style: ConsoleStyle;
  readonly #declared = new Set<ServiceId>();
  /** Where the previous program was in the logs of services that were not removed since. */
  readonly #before: Map<ServiceId, ShownPlace>;
  #show: ShowLine | undefined;

  constructor({ reader, style, before }: Followed) {
    this.#reader = reader;
    this.#style = style;
    this.#before = new Map(before.map((place) => [place.service, place]));
  }

  /** How a line is shown; `undefined` until a service is declared. */
  get show(): ShowLine | undefined {
    return this.#show;
  }

  /** Adds the previous program's place for services that are not read yet. */
  placesWith(places: readonly ShownPlace[]): readonly ShownPlace[] {
    const read = new Set(places.map(({ service }) => service));
    return [...[...this.#before.values()].filter(({ service }) => !read.has(service)), ...places];
  }

  /** True if this change declares or removes the service. */
  isNews({ id, service }: ServiceChange): boolean {
    if ((service !== undefined) === this.#declared.has(id)) return false;
    if (service === undefined) this.#declared.delete(id);
    else this.#declared.add(id);
    return true;
  }

  async change({ id, service }: ServiceChange): Promise<void> {
    if (service === undefined) this.#leave(id);
    else if (!this.#reader.keep(id)) await this.#add(id);
  }

  #leave(id: ServiceId): void {
    this.#before.delete(id);
    this.#reader.leave(id);
  }

  #add(id: ServiceId): Promise<void> {
    this.#show = styleOf([...this.#reader.services(), id], this.#style);
    const place = this.#before.get(id);
    return place === undefined ? this.#reader.add(id) : this.#reader.addAt(place);
  }
}

/** Opens the logs as they are now, or where `before` ended. Prints nothing before `follow`. */
export const consoleOutput = async (ports: ConsolePorts): Promise<Console> => {
  const { dataDir, style, before } = ports;
  const since = before?.since ?? stampOf(new Date());
  const reader = await LogReader.open(dataDir, [], { lines: ALL_LINES, since });
  const cast = new Cast({ reader, style, before: before?.places ?? [] });
  const screen = owing(ports.screen, before);
  const print = async (entries: readonly ServiceEntry[]): Promise<void> => {
    const { show } = cast;
    // Owed text waits, too: until the first step the previous program may be resumed and write it.
    if (show !== undefined)
      await screen.write(Buffer.from(entries.map((entry) => `${show(entry)}\n`).join('')));
  };
  const printer = new Printer(reader, print);
  const shows: Console = {
    follow(service$) {
      return service$.pipe(
        filter((change) => cast.isNews(change)),
        concatMap((change) => cast.change(change)),
        ignoreElements(),
      );
    },
    shown: () => {
      const unwritten = screen.unwritten().toString('base64');
      const places = cast.placesWith(printer.places());
      return { since: reader.since ?? since, places, ...(unwritten !== '' && { unwritten }) };
    },
    pause: () => printer.pause(),
    resume: () => printer.resume(),
    close: async () => {
      await printer.stop();
      await reader.close();
    },
  };
  return shows;
};
