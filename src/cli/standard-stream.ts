// A standard stream as a `Screen`. It also reports when all text is written, and whether text was lost.
import { fstatSync, writeSync } from 'node:fs';
import type { WriteStream } from 'node:tty';
import type { Screen } from './process-ports.ts';
import { isReaderGone } from '../os/errno.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { Failure } from '../streams/views/errors/command-failure.ts';

/**
 * Writes the whole text, in parts if a write accepts only a part. This happens on a disk that becomes full.
 */
export const writeWhole = (text: string, write: (rest: Uint8Array) => number): void => {
  for (let rest: Uint8Array = Buffer.from(text); rest.length > 0;) rest = rest.subarray(write(rest));
};

interface StandardStream {
  readonly screen: Screen;
  /** Aborted when the stream accepts no more text. The abort reason is the write error. */
  readonly broken: AbortSignal;
  /** Resolves when all is written or the reader is gone (EPIPE). Rejects with ERR0701 if text was lost. */
  readonly written: () => Promise<void>;
  /**
   * Resolves when all text is written or cannot be written. If the process exited earlier, text that waits
   * for a full pipe would be lost.
   */
  readonly flushed: () => Promise<void>;
}

/** True for files and devices, where Node does not continue after a partial write. */
const takesParts = (descriptor: number): boolean => {
  const place = fstatSync(descriptor);
  return place.isFile() || place.isCharacterDevice() || place.isBlockDevice();
};

const flushOf = (stream: WriteStream): Promise<void> =>
  new Promise((settle) => {
    stream.write('', () => settle());
  });

/** Throws ERR0701 if text was lost, unless the reader has closed its end. */
const refuseLoss = ({ aborted, reason }: AbortSignal): void => {
  if (!aborted || isReaderGone(reason)) return;
  const message = `standard output cannot be written, and is not whole: ${messageOf(reason)}`;
  throw new Failure({ code: 'ERR0701', message, path: null, at: null, hint: 'check where it is written to' });
};

/** Returns the stream, opened on first use: opening takes time, and most commands use only one stream. */
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
      // A terminal of unknown size reports 0 columns; then 80 are assumed.
      columns: () => (place().stream.isTTY ? place().stream.columns || 80 : undefined),
      rows: () => (place().stream.isTTY ? place().stream.rows || 24 : undefined),
      write,
    },
  };
};
