// Prints the output of services on standard output, for a supervisor that was given its manifests
// (`docs/boot.md`, "In a container"). Each line is `service | line`, as container users expect. The lines are
// read back from the log files, so that a slow reader delays no service.
import { setTimeout as pause } from 'node:timers/promises';
import { concatMap, filter, ignoreElements, type Observable } from 'rxjs';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { ServiceChange } from '../../streams/kernel/after-step/step-streams.ts';
import type { ShownOutput, ShownPlace } from '../../streams/upgrade/handover.ts';
import { stampOf } from '../../streams/wire/log-line.ts';
import { LogReader } from '../../sources/logs/log-reader.ts';
import type { ServiceEntry } from '../../sources/logs/merge.ts';
import { lineStyle, type ShowLine } from '../../streams/views/words/log-entry-text.ts';

export type ConsoleStyle = 'plain' | 'color' | 'json';

/** Writes texts to the console, one after the other. */
export interface ConsoleWriter {
  /** Resolves when all of the text is written; rejects if the reader of the console is gone. */
  readonly write: (text: Buffer) => Promise<void>;
  /** Returns the part of the last text that is not written yet. */
  readonly unwritten: () => Buffer;
}

interface ConsolePorts {
  readonly dataDir: string;
  readonly style: ConsoleStyle;
  readonly screen: ConsoleWriter;
  /** The record of what the previous program in this process had printed; absent if there was none. */
  readonly before?: ShownOutput | undefined;
}

export interface Console {
  /**
   * Prints the output of each service that appears in `service$`, from the time when the console was opened.
   * Never emits.
   */
  follow(service$: Observable<ServiceChange>): Observable<never>;
  /** Returns how far each log is printed, and the text that is not written yet. */
  shown(): ShownOutput;
  /** Stops printing. Resolves within two seconds, even if the reader of the console does not read. */
  pause(): Promise<void>;
  /** Continues to print after `pause`. */
  resume(): void;
  /**
   * Prints the lines that have arrived so far, then stops. Resolves within two seconds, even if the reader of
   * the console does not read.
   */
  close(): Promise<void>;
}

/**
 * Maximum number of existing lines that are read of each service. Before its log is opened, a service prints
 * fewer.
 */
const ALL_LINES = 1_000_000;
const LAST_LINES_MS = 2_000;

const styleOf = (services: readonly ServiceId[], style: ConsoleStyle): ShowLine =>
  lineStyle({ services, json: style === 'json', prefix: true, color: style === 'color' });

/** Prints the entries that the log reader yields, one batch after the other, until it is stopped. */
class Printer {
  readonly #reader: LogReader;
  readonly #print: (entries: readonly ServiceEntry[]) => Promise<void>;
  #enough = new AbortController();
  #paused = false;
  #printing: Promise<void>;
  /** The position up to which each log was read. All lines before it are printed or are being printed. */
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

  /** Stops printing. Resolves within two seconds, even if the reader of the console does not read. */
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
      // If the reader of the console is gone, nothing can be printed any more.
    }
  }
}

/** Returns a console writer that first writes the text that the previous program had not written. */
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
  /** How far the previous program had read each log. */
  readonly before: readonly ShownPlace[];
}

/** The declared services, and the format of their lines on the console. */
class Cast {
  readonly #reader: LogReader;
  readonly #style: ConsoleStyle;
  readonly #declared = new Set<ServiceId>();
  /** How far the previous program had read the logs of services that were not removed since. */
  readonly #before: Map<ServiceId, ShownPlace>;
  #show: ShowLine | undefined;

  constructor({ reader, style, before }: Followed) {
    this.#reader = reader;
    this.#style = style;
    this.#before = new Map(before.map((place) => [place.service, place]));
  }

  /** The function that formats a line for the console; `undefined` until a service is declared. */
  get show(): ShowLine | undefined {
    return this.#show;
  }

  /**
   * Returns `places`, and the positions where the previous program stopped in the logs that are not in
   * `places`.
   */
  placesWith(places: readonly ShownPlace[]): readonly ShownPlace[] {
    const read = new Set(places.map(({ service }) => service));
    return [...[...this.#before.values()].filter(({ service }) => !read.has(service)), ...places];
  }

  /** Records a change of a service. Returns true if it declares or removes the service. */
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
    let style: ShowLine | undefined;
    // The width of the prefix depends on all names. It is computed when a line is printed, because computing
    // it for each of many new services would take longer.
    this.#show = (line) => (style ??= styleOf([...this.#reader.services(), id], this.#style))(line);
    const place = this.#before.get(id);
    return place === undefined ? this.#reader.add(id) : this.#reader.addAt(place);
  }
}

/**
 * Opens the logs at their current end, or at the places where the previous program (`before`) stopped. Prints
 * nothing until `follow` is subscribed.
 */
export const consoleOutput = async (ports: ConsolePorts): Promise<Console> => {
  const { dataDir, style, before } = ports;
  const since = before?.since ?? stampOf(new Date());
  const reader = await LogReader.open(dataDir, [], { lines: ALL_LINES, since });
  const cast = new Cast({ reader, style, before: before?.places ?? [] });
  const screen = owing(ports.screen, before);
  const print = async (entries: readonly ServiceEntry[]): Promise<void> => {
    const { show } = cast;
    // The previous program may have left text unwritten. It is written here, with the lines of the first
    // service, not earlier: if this program fails before its first step, the previous program is executed
    // again and writes its text itself.
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
