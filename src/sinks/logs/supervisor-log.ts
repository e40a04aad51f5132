// The supervisor's own log, with lines such as `2026-11-21T05:30:15.123Z warn [shop/web] text`. In the
// foreground, lines also go to standard error. A failure of the log does not affect the supervisor.
// Rules: `docs/behaviour.md`, "Output", "The supervisor's own log".
import { ignoreElements, map, tap } from 'rxjs';
import { shownId } from '../../streams/domain/ids.ts';
import type { WordedNote } from '../../streams/domain/effect.ts';
import type { Sink } from '../../streams/domain/ports.ts';
import { worded } from '../../streams/views/notes/note-text.ts';
import { shownLine, shownText } from '../../streams/views/words/foreign-text.ts';
import { DailyFile } from './supervisor-log-file.ts';

type Note = Omit<WordedNote, 'type'>;

export interface SupervisorLog {
  readonly sink: Sink<'note'>;
  /** Logs an error that no service caused. */
  readonly error: (text: string) => void;
  /** Logs a problem for the user to fix, such as a mistake in a settings file. */
  readonly warn: (text: string) => void;
  /** Resolves when all lines are written or cannot be written. */
  close(): Promise<void>;
}

/** Formats an entry. All lines after the first line are indented. */
const lineOf = ({ level, service, text }: Note): string => {
  const about = service === undefined ? '' : `[${shownId(service)}] `;
  return `${new Date().toISOString()} ${level} ${about}${shownText(text.trimEnd()).replaceAll('\n', '\n  ')}`;
};

const toStandardError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

export const supervisorLog = (ports: { dir: string; foreground: boolean }): SupervisorLog => {
  const file = new DailyFile(ports.dir);
  // Without a listener, a closed standard error would end the supervisor.
  if (ports.foreground) process.stderr.on('error', () => undefined);
  const note = (entry: Note): void => {
    const line = lineOf(entry);
    if (ports.foreground) toStandardError(line);
    file.write(line);
  };
  // The text is put on one line, because a text of a service could otherwise imitate a line of this log.
  const sentence = (entry: Note): void => note({ ...entry, text: shownLine(entry.text) });
  return {
    // eslint-disable-next-line rxjs-x/finnish -- a function to observables, no observable
    sink: (note$) => note$.pipe(map(worded), tap(sentence), ignoreElements()),
    error: (text) => note({ level: 'error', text }),
    warn: (text) => note({ level: 'warn', text }),
    close: () => file.close(),
  };
};
