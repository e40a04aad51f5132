// The supervisor's own log: what the kernel notes, and what goes wrong around it. Lines read
// `2026-11-21T05:30:15.123Z warn [shop/web] text`; in the foreground they also appear on the standard error.
// Nothing that happens to it, a full disk or a closed terminal, ever reaches the supervisor.
import { ignoreElements, tap } from 'rxjs';
import { shownId } from '../../streams/domain/ids.ts';
import type { EffectOf } from '../../streams/domain/effect.ts';
import type { Sink } from '../../streams/domain/ports.ts';
import { shownLine, shownText } from '../../streams/views/words/foreign-text.ts';
import { DailyFile } from './daily-file.ts';

type Note = Omit<EffectOf<'note'>, 'type'>;

export interface SupervisorLog {
  readonly sink: Sink<'note'>;
  /** Something went wrong that no service is to blame for. */
  readonly trouble: (text: string) => void;
  /** Something a person should mend: a settings file with a mistake in it. */
  readonly warn: (text: string) => void;
  /** Settles when everything is written, as far as it can be. */
  close(): Promise<void>;
}

/** One entry as one paragraph: lines after the first are indented. */
const lineOf = ({ level, service, text }: Note): string => {
  const about = service === undefined ? '' : `[${shownId(service)}] `;
  return `${new Date().toISOString()} ${level} ${about}${shownText(text.trimEnd()).replaceAll('\n', '\n  ')}`;
};

const toStandardError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

export const supervisorLog = (ports: { dir: string; foreground: boolean }): SupervisorLog => {
  const file = new DailyFile(ports.dir);
  // Whoever reads the standard error may go away.
  if (ports.foreground) process.stderr.on('error', () => undefined);
  const note = (entry: Note): void => {
    const line = lineOf(entry);
    if (ports.foreground) toStandardError(line);
    file.write(line);
  };
  // A service's words may be in it: they must not begin a line that looks like one of ours.
  const sentence = (entry: Note): void => note({ ...entry, text: shownLine(entry.text) });
  return {
    // eslint-disable-next-line rxjs-x/finnish -- a function to observables, no observable
    sink: (note$) => note$.pipe(tap(sentence), ignoreElements()),
    trouble: (text) => note({ level: 'error', text }),
    warn: (text) => note({ level: 'warn', text }),
    close: () => file.close(),
  };
};
