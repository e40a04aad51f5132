// Where a reader puts what it reads, and what becomes of it: lines of the log, or nothing but the last lines in memory.
import type { Ending } from '../../streams/output/region.ts';
import type { GrowingBytes } from './bytes.ts';
import type { LogWriter, Read } from './file/log-writer.ts';
import type { Framing } from './last-lines.ts';

/** What becomes of an unfinished line. `left`: whoever reads on has it where it is, and one that cannot outlive this process is a part. */
export type Over = Exclude<Ending, 'whole'> | 'left';

export interface Intake {
  /** Where the next read goes. */
  buffer(): Buffer;
  /** So much was read into it. False: the reader is done, a new one is to be opened when `again` is called. */
  received(length: number): boolean;
  /** What it has is on its way to a slow disk: nothing may be read until `again` is called. */
  isPaused(): boolean;
  /** What is unfinished is a line; what comes next begins another. */
  endLine(): void;
  /** Settles when what it has now is seen to, whatever comes after that. */
  written(): Promise<void>;
  /** Nothing more comes; settles when all of it is seen to. */
  finish(over: Over): Promise<void>;
  /** Whether it holds memory that a flood has left. */
  isIdle(): boolean;
  /** Gives that back; `buffer` is asked for again before anything is read. */
  rest(): void;
}

interface KeptPorts {
  readonly read: Read;
  readonly writer: LogWriter;
  /** In microseconds. */
  readonly now: () => number;
  readonly again: () => void;
}

/** A reader asks where to read next even when it was told not to. */
const PAUSED = Buffer.alloc(1);

/** Into the log of the service, by way of a slot. */
export const keptIntake = ({ read, writer, now, again }: KeptPorts): Intake => {
  const { slot } = read;
  let over: Over | undefined;
  let waiting: Promise<void> | undefined;

  const write = (): boolean => writer.write(read, over === 'left' ? undefined : over);
  const proceed = (): boolean => {
    const done = write();
    if (!done) waiting ??= later();
    return done;
  };
  const later = async (): Promise<void> => {
    do await writer.idle();
    while (!write());
    waiting = undefined;
    if (over === undefined) again();
  };
  // What was left by a supervisor that is gone.
  if (slot.start < slot.end) proceed();
  return {
    buffer: () => (waiting === undefined ? slot.listen() : PAUSED),
    received: (length) => {
      slot.counted(length, now());
      return proceed();
    },
    endLine: () => {
      if (!writer.write(read, 'last')) waiting ??= later();
    },
    finish: async (ending) => {
      over = ending === 'left' && !slot.outlives() ? 'part' : ending;
      proceed();
      while (waiting !== undefined) await waiting;
      if (slot.start === slot.end) slot.memory.free();
    },
    written: () => waiting ?? Promise.resolve(),
    isPaused: () => waiting !== undefined,
    isIdle: () => waiting === undefined && slot.isIdle(),
    rest: () => slot.rest(),
  };
};

interface UnkeptPorts {
  readonly framer: Framing;
  /** Shared by all: each chunk is handled before the next read. */
  readonly buffer: Buffer;
  readonly out: GrowingBytes;
  readonly note: (lines: Buffer) => void;
}

/** `sink: none`: looked at and forgotten. */
export const unkeptIntake = ({ framer, buffer, out, note }: UnkeptPorts): Intake => {
  const framed = (frame: () => void): true => {
    out.clear();
    frame();
    note(out.view());
    return true;
  };
  return {
    buffer: () => buffer,
    received: (length) => framed(() => framer.frame(buffer.subarray(0, length))),
    endLine: () => void framed(() => framer.finish()),
    finish: () => {
      framed(() => framer.finish());
      return Promise.resolve();
    },
    written: () => Promise.resolve(),
    isPaused: () => false,
    isIdle: () => false,
    rest: () => undefined,
  };
};
