// What services print, on the standard output of a supervisor that was given its manifests (`docs/boot.md`, "In a
// container"): `service | line`, as whoever runs a container looks for it. It is read back from the logs, so that a reader
// who does not keep up delays nobody.
import { setTimeout as pause } from 'node:timers/promises';
import { concatMap, filter, ignoreElements, tap, type Observable } from 'rxjs';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import type { ServiceChange } from '../../../streams/kernel/derived/derived.ts';
import { stampOf } from '../../../streams/wire/log-line.ts';
import { LogReader, type ServiceEntry } from '../../logs/files/read.ts';
import { lineStyle, type ShowLine } from '../../render/log-line.ts';

export type ConsoleStyle = 'plain' | 'color' | 'json';

interface ConsolePorts {
  readonly dataDir: string;
  readonly style: ConsoleStyle;
  /** Settles when there is room for more; rejects when nobody reads on. */
  readonly write: (text: string) => Promise<void>;
}

export interface Console {
  /** Services as they are declared; each is followed from then on, with what it has printed since this began. */
  follow(service$: Observable<ServiceChange>): Observable<never>;
  /** Prints what has come by then. Settles at the latest two seconds later, be there a reader or not. */
  close(): Promise<void>;
}

/** Enough to lose nothing of what was printed since. */
const ALL_LINES = 1_000_000;
const LAST_LINES_MS = 2_000;

const styleOf = (services: readonly ServiceId[], style: ConsoleStyle): ShowLine =>
  lineStyle({ services, json: style === 'json', prefix: true, color: style === 'color' });

/** Opens the logs as they are now: what was printed before stays untold, and nothing is printed before `follow`. */
export const consoleOutput = async ({ dataDir, style, write }: ConsolePorts): Promise<Console> => {
  const wanted = { lines: ALL_LINES, since: stampOf(new Date()) };
  const reader = await LogReader.open(dataDir, [], wanted);
  const enough = new AbortController();
  const known = new Set<ServiceId>();
  let show = styleOf([], style);
  const print = async (entries: readonly ServiceEntry[]): Promise<void> => {
    if (entries.length > 0) await write(entries.map((entry) => `${show(entry)}\n`).join(''));
  };
  const add = (id: ServiceId): Promise<void> => {
    show = styleOf([...known], style);
    return reader.add(id);
  };
  const printing = (async () => {
    for await (const entries of reader.follow(enough.signal)) await print(entries);
  })().catch(() => undefined);
  const screen: Console = {
    follow(service$) {
      return service$.pipe(
        filter(({ id, service }) => service !== undefined && !known.has(id)),
        tap(({ id }) => known.add(id)),
        concatMap(({ id }) => add(id)),
        ignoreElements(),
      );
    },
    close: async () => {
      enough.abort();
      await Promise.race([printing, pause(LAST_LINES_MS, undefined, { ref: false })]);
      await reader.close();
    },
  };
  return screen;
};
