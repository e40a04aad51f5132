// Reads the documents that `sup` commands print on another machine, for the library.
import { ms } from '../../streams/domain/time.ts';
import { ownEnvironment } from '../../os/choose-data-directory.ts';
import { fieldsIn, type Fields } from '../../streams/wire/params/checked-fields.ts';
import type { Patience } from '../api/sup-interface.ts';
import { ClientFailure, failedWith } from '../client-failure.ts';
import { type DialFrame, isErrorDocument } from './dial-frames.ts';
import { runOn } from './remote-run.ts';
import type { HostPlace, SshOptions } from './ssh-line.ts';

/** Returns options of ssh that forbid it to ask for a password, because a program cannot answer. */
export const optionsNow = (): SshOptions => ({ asks: false, environment: ownEnvironment() });

interface OutputLine {
  readonly tag: 'out' | 'err';
  readonly text: string;
}

const NO_SCREEN = { terminal: false };

/** Throws the error that the document contains, if any. */
const throwError = ({ error }: Fields): void => {
  if (isErrorDocument(error)) throw new ClientFailure(error);
};

/** Yields the complete lines of standard output and standard error. */
async function* linesOf(frames: AsyncIterable<DialFrame>): AsyncGenerator<OutputLine> {
  const rest = { out: '', err: '' };
  for await (const frame of frames) {
    if (frame.tag !== 'out' && frame.tag !== 'err') continue;
    const { tag } = frame;
    const lines = (rest[tag] + frame.text).split('\n');
    rest[tag] = lines.pop() ?? '';
    for (const text of lines) yield { tag, text };
  }
}

/**
 * Runs a command on another machine and yields each document that it prints, until the command ends or the
 * signal aborts. If the command prints an error as a document, throws this error.
 */
export async function* documentsOf(
  place: HostPlace,
  line: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<Fields> {
  const screens = { stdout: NO_SCREEN, stderr: NO_SCREEN, keyboard: false, environment: {}, manifests: [] };
  const run = await runOn(place, { line: [...line, '--json'], ...screens }, optionsNow());
  signal.addEventListener('abort', run.close, { once: true });
  try {
    if (signal.aborted) return;
    for await (const { tag, text } of linesOf(run.frames())) {
      const document = fieldsIn(text) ?? {};
      if (tag === 'out') yield document;
      else throwError(document);
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    run.close();
  }
}

/** The longest delay of a Node timer, ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves to the result of `ask`. After `timeoutMs` rejects with ERR0111 and aborts the signal of `ask`. */
export const within = async <T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { timeoutMs = 0 }: Patience,
  command: string,
): Promise<T> => {
  const over = new AbortController();
  if (timeoutMs === 0 || timeoutMs === Infinity) return ask(over.signal);
  const late = new Promise<never>((_, reject) => {
    over.signal.addEventListener('abort', () =>
      reject(failedWith({ code: 'ERR0111', command, waited: ms(timeoutMs) })),
    );
  });
  const timer = setTimeout(() => over.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
  return Promise.race([ask(over.signal), late]).finally(() => clearTimeout(timer));
};
