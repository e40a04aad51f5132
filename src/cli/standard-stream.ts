// A standard stream of the program as a screen, which knows whether everything that was written to it is out.
import { fstatSync, writeSync } from 'node:fs';
import type { WriteStream } from 'node:tty';
import { errnoOf } from '../os/errno.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { Failure } from '../streams/views/errors/failure.ts';
import type { Screen } from './world.ts';
import { writeWhole } from './write-whole.ts';

interface StandardStream {
  readonly screen: Screen;
  /** Aborted when it takes nothing any more; the reason is why. */
  readonly broken: AbortSignal;
  /** Settles when everything is out or nobody reads on (EPIPE); rejects with ERR0701 when something was lost otherwise. */
  readonly written: () => Promise<void>;
  /** Settles when everything is out or cannot be written. A process that exits earlier loses what a pipe had no room for. */
  readonly flushed: () => Promise<void>;
}

/** Where Node takes a part that was written for all of it: pipes, sockets and terminals it writes to until all is out. */
const takesParts = (descriptor: number): boolean => {
  const place = fstatSync(descriptor);
  return place.isFile() || place.isCharacterDevice() || place.isBlockDevice();
};

const flushOf = (stream: WriteStream): Promise<void> =>
  new Promise((settle) => {
    stream.write('', () => settle());
  });

/** Throws ERR0701 when something was lost that somebody would have read. */
const refuseLoss = ({ aborted, reason }: AbortSignal): void => {
  if (!aborted || errnoOf(reason) === 'EPIPE') return;
  const message = `standard output cannot be written, and is not whole: ${messageOf(reason)}`;
  throw new Failure({ code: 'ERR0701', message, path: null, at: null, hint: 'check where it is written to' });
};

/** Opened when it is looked at or written to, which takes a while and most commands do with one of the two only. */
export const standardStream = (descriptor: 1 | 2, open: () => WriteStream): StandardStream => {
  const gone = new AbortController();
  let opened: { readonly stream: WriteStream; readonly inParts: boolean } | undefined;
  const openOnce = (): NonNullable<typeof opened> => {
    const stream = open().on('error', (error) => gone.abort(error));
    return (opened = { stream, inParts: !stream.isTTY && takesParts(descriptor) });
  };
  const place = (): NonNullable<typeof opened> => opened ?? openOnce();
  const write = (text: string): void => {
    const { stream, inParts } = place();
    if (gone.signal.aborted) return;
    if (!inParts) return void stream.write(text);
    try {
      writeWhole(text, (rest) => writeSync(descriptor, rest));
    } catch (error) {
      gone.abort(error);
    }
  };
  const flushed = async (): Promise<void> => {
    if (opened?.inParts === false) await flushOf(opened.stream);
  };
  return {
    broken: gone.signal,
    written: async () => {
      await flushed();
      refuseLoss(gone.signal);
    },
    flushed,
    screen: {
      get terminal() {
        return place().stream.isTTY;
      },
      // A terminal that does not know its size says 0.
      columns: () => (place().stream.isTTY ? place().stream.columns || 80 : undefined),
      rows: () => (place().stream.isTTY ? place().stream.rows || 24 : undefined),
      write,
    },
  };
};
