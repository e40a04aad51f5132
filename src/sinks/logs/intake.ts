// Where a reader puts what it reads, which becomes lines of the log, or only the last lines in memory.
import type { Ending } from '../../streams/output/region.ts';
import { GrowingBytes } from './growing-bytes.ts';
import type { LogWriter, WriterInput } from './file/log-writer.ts';
import type { Liner, Moments, Piece } from './log-lines.ts';

/**
 * The end of an unfinished line. `left`: it stays for the next reader; if it cannot outlive this process it
 * is written as a part.
 */
export type Over = Exclude<Ending, 'whole'> | 'left';

export interface Intake {
  /** Where the next read goes. */
  buffer(): Buffer;
  /** Handles this many bytes. False: the reader is done; open a new one when `again` is called. */
  received(length: number): boolean;
  /** True while its content waits for a slow disk: nothing may be read until `again` is called. */
  isPaused(): boolean;
  /** Ends an unfinished line; what follows begins another. */
  endLine(): void;
  /** Resolves when its present content is handled. */
  written(): Promise<void>;
  /** Ends the input; resolves when all of it is handled. */
  finish(over: Over): Promise<void>;
  /** True if it holds memory that a flood left. */
  isIdle(): boolean;
  /** Frees that memory; call `buffer` again before the next read. */
  rest(): void;
}

interface KeptPorts {
  readonly read: WriterInput;
  readonly writer: LogWriter;
  /** Now, in microseconds. */
  readonly now: () => number;
  readonly again: () => void;
}

/** A reader asks for a buffer even after it was told to stop. */
const PAUSED = Buffer.alloc(1);

/** Puts output into the service's log, by way of a slot. */
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
  // Left by a dead supervisor.
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
  readonly liner: Liner;
  /** Shared by all: each chunk is handled before the next read. */
  readonly buffer: Buffer;
  readonly moments: Moments;
  readonly note: (lines: Buffer) => void;
}

const NEWLINE = 10;
/** One more than the last lines that are kept. */
const ENOUGH_LINES = 41;
/** Capacity that may stay allocated while no line is unfinished. */
const IDLE_CAPACITY = 4096;

/** Where the last lines of a chunk begin; 0 if it has no others. */
const startOfEnd = (chunk: Buffer): number => {
  let at = chunk.length;
  for (let found = 0; found < ENOUGH_LINES && at > 0; found += 1) at = chunk.lastIndexOf(NEWLINE, at - 1);
  return at <= 0 ? 0 : at + 1;
};

/** For `sink: none`: output only feeds the last lines, so of a flood only the end becomes lines. */
export const unkeptIntake = ({ liner, buffer, moments: { now, text }, note }: UnkeptPorts): Intake => {
  const held = new GrowingBytes(IDLE_CAPACITY);
  const proceed = (over?: 'last'): void => {
    const bytes = held.view();
    const stamp = text(now());
    const end = bytes.length;
    const next = (from: number): Piece | undefined =>
      liner.next({ bytes, from, end, room: end, ...(over && { over }) }, stamp);
    let from = 0;
    for (let piece = next(from); piece !== undefined; piece = next(from)) {
      note(Buffer.from(piece.lines, 'latin1'));
      from = piece.cut;
    }
    const rest = Buffer.from(bytes.subarray(from));
    held.clear();
    held.append(rest);
  };
  return {
    buffer: () => buffer,
    received: (length) => {
      const chunk = buffer.subarray(0, length);
      const start = startOfEnd(chunk);
      // The unfinished line ended in the part that is skipped.
      if (start > 0) held.clear();
      held.append(chunk, start);
      proceed();
      return true;
    },
    endLine: () => proceed('last'),
    finish: () => {
      proceed('last');
      return Promise.resolve();
    },
    written: () => Promise.resolve(),
    isPaused: () => false,
    isIdle: () => false,
    rest: () => undefined,
  };
};
