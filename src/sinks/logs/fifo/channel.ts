// One output stream of one service: its FIFO's reader and its unfinished line.
//
// A FIFO outlives the run that was given it: what a run left behind may still write when the next run opens it. A new
// reader is opened each time (the old one may have its end of file on the way) and replaces the old one; bytes are
// handled in the very call that reads them, so nothing is lost between the two, and both feed the same unfinished line.
import { closeSync } from 'node:fs';
import { openChildEnd, openReader, type FifoReader } from './fifo-ends.ts';
import type { Framing } from '../last-lines.ts';

interface ChannelPorts {
  readonly framer: Framing;
  /** Where chunks are read into; shared by all channels. */
  readonly buffer: Buffer;
  /** Passes on the lines that `frame` makes; false when the reader is to pause. */
  readonly emit: (frame: () => void) => boolean;
  readonly onEnd: () => void;
}

interface Listening {
  reader: FifoReader;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

const listeningTo = (reader: FifoReader): Listening => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { reader, ended, end };
};

export class Channel {
  readonly #ports: ChannelPorts;
  #listening: Listening | undefined;

  constructor(ports: ChannelPorts) {
    this.#ports = ports;
  }

  /** Opens a child's end and reads from now on. The caller closes the end it gets. */
  attach(fifo: string): number {
    const childEnd = openChildEnd(fifo);
    try {
      this.#listen(fifo);
    } catch (error) {
      closeSync(childEnd);
      throw error;
    }
    return childEnd;
  }

  reading(): boolean {
    return this.#listening !== undefined;
  }

  /** Settles when no writer is left and everything is read. */
  ended(): Promise<void> {
    return this.#listening?.ended ?? Promise.resolve();
  }

  resume(): void {
    this.#listening?.reader.resume();
  }

  /** Stops reading; what is unfinished is written as a part that goes on. */
  close(): void {
    this.#listening?.reader.close();
    this.#stop((framer) => framer.handOver());
  }

  #listen(fifo: string): void {
    const { framer, buffer, emit, onEnd } = this.#ports;
    const reader = openReader(fifo, buffer, {
      chunk: (bytes) => emit(() => framer.frame(bytes)),
      end: () => {
        this.#stop(() => framer.finish());
        onEnd();
      },
    });
    const before = this.#listening;
    before?.reader.close();
    if (before === undefined) this.#listening = listeningTo(reader);
    else before.reader = reader;
  }

  #stop(last: (framer: Framing) => void): void {
    const { framer, emit } = this.#ports;
    const stopped = this.#listening;
    this.#listening = undefined;
    emit(() => last(framer));
    stopped?.end();
  }
}
