// Needs the native addon.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OutputSlots } from '../../../../src/sinks/logs/buffer/output-slots.ts';
import type { Slot } from '../../../../src/sinks/logs/buffer/output-slot.ts';
import { slotName } from '../../../../src/sinks/logs/fifo/output-names.ts';
import { layoutOf } from '../../../../src/streams/wire/layout.ts';
import { libcOfThisMachine } from '../../../os/support.ts';
import { captureIn, logPath, specOf, temporary, unstamped, WEB } from '../harness.ts';

const NAME = slotName(WEB, { stream: 'stdout', place: 0 });
const NOBODY = (): void => undefined;

/** The buffer of a supervisor that is killed: nothing of it is closed. */
const slotsIn = (dataDir: string): OutputSlots =>
  new OutputSlots({
    libc: libcOfThisMachine(),
    path: layoutOf(dataDir).output,
    now: () => 5,
    logError: NOBODY,
  });

const claimed = (slots: OutputSlots): Slot => slots.take(NAME, NOBODY).slot;

const read = (slot: Slot, text: string, stamp: number): Slot => {
  slot.counted(slot.listen().write(text), stamp);
  return slot;
};

it('slots of one stream are read oldest first, with the unfinished one last', () => {
  const dataDir = temporary();
  const dead = slotsIn(dataDir);
  const third = claimed(dead);
  read(claimed(dead), 'second', 2);
  read(claimed(dead), 'first', 1);
  third.listen().write('third');
  const { over, slot } = slotsIn(dataDir).take(NAME, NOBODY);
  const texts = [...over, slot].map(({ memory, start, end }) => memory.bytes.toString('latin1', start, end));
  expect(texts).toEqual(['first', 'second', 'third']);
});

it('if the buffer file cannot be created, output is kept in this process only, and that is reported once', () => {
  const dataDir = temporary();
  const path = layoutOf(dataDir).output;
  mkdirSync(`${path}.new`);
  const troubles: string[] = [];
  const ports = {
    libc: libcOfThisMachine(),
    path,
    now: () => 5,
    logError: (text: string) => troubles.push(text),
  };
  const slots = new OutputSlots(ports);
  expect([claimed(slots).outlives(), claimed(slots).outlives()]).toEqual([false, false]);
  expect(troubles).toEqual([
    expect.stringMatching(/^output cannot be kept in .*output.buffer \(.*\): a line/),
  ]);
  expect(claimed(slotsIn(temporary())).outlives()).toBe(true);
});

it('the last output of a run is a line of its own, even if the next run was read by then', async () => {
  const dataDir = temporary();
  const dead = slotsIn(dataDir);
  read(claimed(dead), 'end of run 1', 1);
  read(claimed(dead), 'run 2\nhalf', 2);
  const next = captureIn(dataDir);
  expect([...next.inHand()]).toEqual([WEB]);
  next.finishAdoption();
  await next.flush();
  expect(unstamped(logPath(dataDir))).toEqual(['stdout end of run 1', 'stdout run 2', 'stdout+ half']);
  await next.close();
  expect(existsSync(layoutOf(dataDir).output)).toBe(false);
});

it('a service that is read again first writes what its earlier runs left in the buffer', async () => {
  const dataDir = temporary();
  const dead = slotsIn(dataDir);
  read(claimed(dead), 'end of run 1', 1);
  read(claimed(dead), 'end of run 2', 2);
  const next = captureIn(dataDir);
  (await next.open(specOf())).close();
  await next.close();
  expect(unstamped(logPath(dataDir))).toEqual(['stdout end of run 1', 'stdout end of run 2']);
});

it('a removed buffer file is created again with its content, and then written to', () => {
  const dataDir = temporary();
  const slots = slotsIn(dataDir);
  const flooded = claimed(slots);
  const flood = 'x'.repeat(50_000);
  for (let rest = flood; rest.length > 0;) {
    const window = flooded.listen();
    const length = window.write(rest.slice(0, window.length));
    flooded.counted(length, 1);
    rest = rest.slice(length);
  }
  const freed = claimed(slots);
  const half = read(claimed(slots), 'half', 2);
  rmSync(layoutOf(dataDir).output);
  slots.mend();
  read(half, ' and half', 3);
  freed.memory.free();
  read(claimed(slots), 'later', 4);
  const { over, slot } = slotsIn(dataDir).take(NAME, NOBODY);
  const texts = [...over, slot].map(({ memory, start, end }) => memory.bytes.toString('latin1', start, end));
  expect(texts).toEqual([flood, 'half and half', 'later']);
});

it('an intact buffer file is left alone, and one that cannot be recreated is reported once', () => {
  const dataDir = temporary();
  const path = layoutOf(dataDir).output;
  const troubles: string[] = [];
  const slots = new OutputSlots({
    libc: libcOfThisMachine(),
    path,
    now: () => 5,
    logError: (text) => troubles.push(text),
  });
  const slot = read(claimed(slots), 'kept', 1);
  mkdirSync(`${path}.new`);
  slots.mend();
  expect(troubles).toEqual([]);
  rmSync(path);
  slots.mend();
  slots.mend();
  expect(troubles).toHaveLength(1);
  rmSync(`${path}.new`, { recursive: true });
  slots.mend();
  read(slot, ' on', 2);
  const { slot: left } = slotsIn(dataDir).take(NAME, NOBODY);
  expect(left.memory.bytes.toString('latin1', left.start, left.end)).toBe('kept on');
});
