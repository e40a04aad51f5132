import { closeSync, fstatSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OutputChannel } from '../../../../src/sinks/logs/fifo/output-channel.ts';
import { openChildEnd } from '../../../../src/sinks/logs/fifo/fifo-ends.ts';
import { fifoMaker } from '../../../../src/sinks/logs/fifo/make-fifos.ts';
import type { Intake } from '../../../../src/sinks/logs/intake.ts';
import { until } from '../../../fixtures/processes/world.ts';
import { temporary } from '../harness.ts';

/** Takes one read, and then waits for its disk until it is told that this is ready. */
const slow = (again: () => void): { intake: Intake; text: () => string; ready: () => void } => {
  const buffer = Buffer.alloc(100);
  let text = '';
  let paused = false;
  let written = (): void => undefined;
  let waiting = Promise.resolve();
  const intake: Intake = {
    buffer: () => (paused ? Buffer.alloc(1) : buffer),
    received: (length) => {
      text += paused ? '?' : buffer.toString('latin1', 0, length);
      paused = true;
      waiting = new Promise((settle) => (written = settle));
      return false;
    },
    written: () => waiting,
    isPaused: () => paused,
    endLine: () => undefined,
    finish: () => Promise.resolve(),
    isIdle: () => false,
    rest: () => undefined,
  };
  const ready = (): void => {
    paused = false;
    written();
    again();
  };
  return { intake, text: () => text, ready };
};

type Disk = ReturnType<typeof slow>;

/** A channel that has read one line, and waits for the disk. */
const onSlowDisk = async (): Promise<{
  fifo: string;
  channel: OutputChannel;
  end: number;
  disk: () => Disk;
}> => {
  const fifo = join(temporary(), 'out');
  await fifoMaker(() => undefined)([fifo]);
  const disks: Disk[] = [];
  const intake = (again: () => void): Intake => {
    const disk = slow(again);
    disks.push(disk);
    return disk.intake;
  };
  const channel = new OutputChannel({ intake, onEnd: () => undefined, onFlood: () => undefined });
  const end = channel.attach(fifo);
  const disk = (): Disk => disks.at(-1) ?? slow(() => undefined);
  writeSync(end, 'first\n');
  await until(() => disk().text() === 'first\n');
  return { fifo, channel, end, disk };
};

it('a channel that waits for the disk reads nothing for the next run, and then all of it', async () => {
  const { fifo, channel, end: first, disk } = await onSlowDisk();
  const second = channel.attach(fifo);
  writeSync(second, 'second\n');
  // Time enough for a reader that should not be there.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(disk().text()).toBe('first\n');
  disk().ready();
  await until(() => disk().text() === 'first\nsecond\n');
  for (const end of [first, second]) closeSync(end);
  disk().ready();
  await channel.close('part');
});

it.each([
  ['is gone', () => Promise.resolve()],
  ['is that of another one', (fifo: string) => fifoMaker(() => undefined)([fifo])],
])('a channel continues after a wait for the disk where the name of its FIFO %s', async (_, meanwhile) => {
  const { fifo, channel, end, disk } = await onSlowDisk();
  rmSync(fifo);
  await meanwhile(fifo);
  writeSync(end, 'second\n');
  disk().ready();
  await until(() => disk().text() === 'first\nsecond\n');
  expect(channel.kept(false)).toMatchObject([{ fifo, inode: fstatSync(end).ino }]);
  closeSync(end);
  disk().ready();
  await channel.close('part');
});

it('a channel frees the memory of a flood although the name of its FIFO is gone', async () => {
  const fifo = join(temporary(), 'out');
  await fifoMaker(() => undefined)([fifo]);
  const { intake, text } = quick();
  let rests = 0;
  const channel = new OutputChannel({
    intake: () => ({ ...intake, isIdle: () => true, rest: () => (rests += 1) }),
    onEnd: () => undefined,
    onFlood: () => undefined,
  });
  const end = channel.attach(fifo);
  const before = rests;
  rmSync(fifo);
  channel.rest();
  expect(rests).toBe(before + 1);
  writeSync(end, 'more');
  await until(() => text() === 'more');
  closeSync(end);
  await channel.close('part');
});

it('a channel writes what it has read, although it waits for the disk again', async () => {
  const { channel, end, disk } = await onSlowDisk();
  const flushed = channel.flushed();
  writeSync(end, 'second\n');
  disk().ready();
  await until(() => disk().text() === 'first\nsecond\n');
  expect(disk().intake.isPaused()).toBe(true);
  await flushed;
  closeSync(end);
  disk().ready();
  await channel.close('part');
});

/** Takes whatever comes. */
const quick = (): { intake: Intake; text: () => string } => {
  const buffer = Buffer.alloc(100);
  let text = '';
  const intake: Intake = {
    buffer: () => buffer,
    received: (length) => {
      text += buffer.toString('latin1', 0, length);
      return true;
    },
    written: () => Promise.resolve(),
    isPaused: () => false,
    endLine: () => (text += '|'),
    finish: () => Promise.resolve(),
    isIdle: () => false,
    rest: () => undefined,
  };
  return { intake, text: () => text };
};

it('a channel looks for the rest of the last run, unless that was read to its end', async () => {
  const fifo = join(temporary(), 'out');
  await fifoMaker(() => undefined)([fifo]);
  const { intake, text } = quick();
  let ends = 0;
  const channel = new OutputChannel({
    intake: () => intake,
    onEnd: () => (ends += 1),
    onFlood: () => undefined,
  });
  const first = channel.attachNext(fifo, true);
  writeSync(first, 'first');
  const second = channel.attachNext(fifo, false);
  expect(text()).toBe('first|');
  closeSync(first);
  closeSync(second);
  await until(() => ends === 1);
  const stranger = openChildEnd(fifo);
  writeSync(stranger, 'third');
  const third = channel.attachNext(fifo, false);
  expect(text()).toBe('first|');
  await until(() => text() === 'first|third');
  await channel.close('part');
  writeSync(third, 'left');
  closeSync(channel.attachNext(fifo, false));
  expect(text()).toBe('first|thirdleft|');
  for (const end of [stranger, third]) closeSync(end);
  await until(() => ends === 2);
});

it('a channel is written when each of its runs is, although the next run ended sooner', async () => {
  const fifo = join(temporary(), 'out');
  await fifoMaker(() => undefined)([fifo]);
  const disk: (() => void)[] = [];
  let ends = 0;
  const channel = new OutputChannel({
    intake: () => ({ ...quick().intake, finish: () => new Promise((settle) => disk.push(settle)) }),
    onEnd: () => (ends += 1),
    onFlood: () => undefined,
  });
  for (const run of [1, 2]) {
    closeSync(channel.attach(fifo));
    await until(() => disk.length === run);
  }
  let isWritten = false;
  const closed = channel.close('part').then(() => (isWritten = true));
  disk[1]?.();
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(isWritten).toBe(false);
  disk[0]?.();
  await closed;
  await until(() => ends === 2);
});

it('a channel that was read to its end has ended only when the last line is written', async () => {
  const fifo = join(temporary(), 'out');
  await fifoMaker(() => undefined)([fifo]);
  const disk: (() => void)[] = [];
  const channel = new OutputChannel({
    intake: () => ({ ...quick().intake, finish: () => new Promise((settle) => disk.push(settle)) }),
    onEnd: () => undefined,
    onFlood: () => undefined,
  });
  closeSync(channel.attach(fifo));
  await until(() => disk.length === 1);
  let hasEnded = false;
  const ended = channel.ended().then(() => (hasEnded = true));
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(hasEnded).toBe(false);
  disk[0]?.();
  await ended;
});
