// Turns the bytes that a reader reads from a FIFO into lines of the log. Without a log, only the last lines
// are kept in memory. While the disk is slow, no bytes are read, so that the FIFO fills up.
// Rules: `docs/behaviour.md`, "Output", "A slow disk".
import type { Ending } from '../../streams/output/output-region.ts';
import { GrowingBytes } from './growing-bytes.ts';
import type { LogWriter, WriterInput } from './file/log-writer.ts';
import type { Liner, Moments, Piece } from './log-lines.ts';

/** How to end an unfinished line. `left`: the line stays in its slot for the next supervisor, if possible. */
export type Over = Exclude<Ending, 'whole'> | 'left';

export interface Intake {
  /** Returns the buffer for the next read. */
  buffer(): Buffer;
  /**
   * Handles the first `length` bytes of the buffer. If false, do not read until `again` opens a new reader.
   */
  received(length: number): boolean;
  /** True while output waits for a slow disk. Nothing may be read until `again` is called. */
  isPaused(): boolean;
  /** Ends an unfinished line, so that later output begins another line. */
  endLine(): void;
  /** Resolves when all output received so far is written or dropped. */
  written(): Promise<void>;
  /** Ends the output. `over`: how an unfinished line ends. Resolves when all is written or dropped. */
  finish(over: Over): Promise<void>;
  /** True if the intake is empty but still has the memory that a burst of output needed. */
  isIdle(): boolean;
  /** Frees the memory that a burst of output needed. Call `buffer` before the next read. */
  rest(): void;
}

/** Returns an intake that also calls `take` with the bytes of each read. */
export const tapped = (intake: Intake, take: ((bytes: Buffer) => void) | undefined): Intake => {
  if (take === undefined) return intake;
  let last: Buffer = PAUSED;
  return {
    ...intake,
    buffer: () => (last = intake.buffer()),
    received: (length) => {
      take(last.subarray(0, length));
      return intake.received(length);
    },
  };
};

interface KeptPorts {
  readonly read: WriterInput;
  readonly writer: LogWriter;
  /** Returns the time, µs. */
  readonly now: () => number;
  readonly again: () => void;
}

/** The buffer while the intake is paused, because a reader requests a buffer even after it had to stop. */
const PAUSED = Buffer.alloc(1);

/** Returns an intake that keeps output in a slot and writes it from there to the service's log. */
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
  // Writes output that a dead supervisor has left in the slot.
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
  /** The read buffer that all intakes share, because each chunk is handled before the next read. */
  readonly buffer: Buffer;
  readonly moments: Moments;
  readonly note: (lines: Buffer) => void;
}

const NEWLINE = 10;
/** How many newlines are searched from the end of a chunk: they enclose the last 40 lines. */
const ENOUGH_LINES = 41;
/** Capacity that stays allocated while no line is unfinished, bytes. */
const IDLE_CAPACITY = 4096;

/** Returns the offset after the `ENOUGH_LINES`th newline from the end of a chunk, or 0. */
const startOfEnd = (chunk: Buffer): number => {
  let at = chunk.length;
  for (let found = 0; found < ENOUGH_LINES && at > 0; found += 1) at = chunk.lastIndexOf(NEWLINE, at - 1);
  return at <= 0 ? 0 : at + 1;
};

/** Returns an intake for `sink: none`: output only feeds the last lines in memory. */
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
      // If a part of the chunk is skipped, the unfinished line ends in that part, so this line is dropped
      // too.
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
