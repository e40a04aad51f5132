// A supervisor that is killed at any step of reading, writing and rotating, and the next one: every byte that was printed
// is in the log once. `mortal.ts` is the world that outlives them.
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { finishWrite } from '../../../../src/sinks/logs/buffer/finish-write.ts';
import { GrowingBytes } from '../../../../src/sinks/logs/growing-bytes.ts';
import { RotatedFile } from '../../../../src/sinks/logs/file/log-file.ts';
import { LogWriter, type WriterInput } from '../../../../src/sinks/logs/file/log-writer.ts';
import { Liner, moments } from '../../../../src/sinks/logs/log-lines.ts';
import { Files, Killed, Life, Pipe, Region } from './mortal.ts';

const PATH = '/web.log';
const STREAMS = ['stdout', 'stderr'] as const;
type Stream = (typeof STREAMS)[number];

interface Story {
  /** What the service prints. */
  readonly printed: Readonly<Record<Stream, string>>;
  /** The most that one read brings, in turn. */
  readonly reads: readonly number[];
  readonly maxBytes: number;
}

interface World {
  readonly story: Story;
  readonly files: Files;
  readonly regions: Readonly<Record<Stream, Region>>;
  readonly pipes: Readonly<Record<Stream, Pipe>>;
}

const begun = (story: Story): World => ({
  story,
  files: new Files(),
  regions: { stdout: new Region(), stderr: new Region() },
  pipes: { stdout: new Pipe(story.printed.stdout), stderr: new Pipe(story.printed.stderr) },
});

/** One supervisor, from its first look at what it finds to the end of both streams. */
const live = ({ story, files, regions, pipes }: World, life: Life): void => {
  const disk = files.in(life);
  const { now, text } = moments();
  const logError = (): void => undefined;
  const rules = (): { path: string; maxBytes: number; maxFiles: number } => ({
    path: PATH,
    maxBytes: story.maxBytes,
    maxFiles: 100_000,
  });
  const file = new RotatedFile({ rules, logError, disk });
  const ports = { name: 'web', file, out: new GrowingBytes(), moments: { now, text }, logError };
  const writer = new LogWriter(ports);
  const taken = (stream: Stream): WriterInput => {
    const liner = new Liner(stream);
    const slot = regions[stream].slot(life, now());
    finishWrite(slot, { path: PATH, disk, liner, text });
    return { slot, liner, note: () => undefined };
  };
  const sources = STREAMS.map((stream) => ({ pipe: pipes[stream], read: taken(stream) }));
  for (const { read } of sources) writer.write(read);
  for (let turn = 0; sources.some(({ pipe }) => !pipe.empty); turn += 1)
    for (const { pipe, read } of sources) {
      if (pipe.empty) continue;
      const most = story.reads[turn % story.reads.length] ?? 1;
      read.slot.counted(pipe.read(life, read.slot.listen(), most), now());
      writer.write(read);
    }
  for (const { read } of sources) writer.write(read, 'last');
};

const untilKilled = (world: World, life: Life): boolean => {
  try {
    live(world, life);
    return false;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return true;
  }
};

/** What the log says that a stream has printed: parts put together again. */
const logged = (log: string, stream: Stream): string =>
  log
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [, name, part, text = ''] = /^\S{27} (\w+)(\+?) ([^]*)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`a torn line: ${line.slice(0, 80)}`);
      return name === stream ? `${text}${part === '+' ? '' : '\n'}` : '';
    })
    .join('');

/** Where what is logged differs from what was printed. */
const difference = ({ story, files }: World): string | undefined => {
  for (const stream of STREAMS) {
    const printed = story.printed[stream];
    const whole = printed === '' || printed.endsWith('\n') ? printed : `${printed}\n`;
    const found = logged(files.text(PATH), stream);
    if (found === whole) continue;
    let at = 0;
    while (found[at] === whole[at]) at += 1;
    const near = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 20), at + 20));
    return `${stream} at ${String(at)}: ${near(found)} for ${near(whole)} (${String(found.length - whole.length)})`;
  }
  return undefined;
};

const numbered = (count: number, name: string): string =>
  Array.from({ length: count }, (_, at) => `${name} ${String(at)}\n`).join('');

const STORIES: Readonly<Record<string, Story>> = {
  'a write per line': {
    printed: { stdout: numbered(40, 'line'), stderr: numbered(10, 'oops') },
    reads: [7, 8, 9],
    maxBytes: 0,
  },
  'blocks that end within a line': {
    printed: { stdout: numbered(900, 'block'), stderr: '' },
    reads: [4096],
    maxBytes: 0,
  },
  'no newline at all': { printed: { stdout: 'x'.repeat(200_000), stderr: '' }, reads: [60_000], maxBytes: 0 },
  'a log that is rotated': {
    printed: { stdout: numbered(60, 'line'), stderr: numbered(20, 'oops') },
    reads: [100, 30],
    maxBytes: 300,
  },
  'a flood that is rotated': {
    printed: { stdout: numbered(7_000, 'flood'), stderr: '' },
    reads: [65_536],
    maxBytes: 100_000,
  },
  'text that is not UTF-8': {
    printed: { stdout: '\u00ff\u00fe\n'.repeat(50), stderr: '\u0000\u0001' },
    reads: [5],
    maxBytes: 0,
  },
};

describe('a kill of the supervisor at any step', () => {
  // No write is slow.
  beforeEach(() => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    return () => vi.restoreAllMocks();
  });

  it.each(Object.entries(STORIES))(
    'a kill at any step loses, tears and doubles no line of %s',
    (_, story) => {
      const whole = new Life();
      live(begun(story), whole);
      expect(whole.steps).toBeGreaterThan(20);
      for (let at = 1; at <= whole.steps; at += 1)
        for (const share of [0, 0.5, 1]) {
          const world = begun(story);
          expect(untilKilled(world, new Life(at, share))).toBe(true);
          live(world, new Life());
          expect([at, share, difference(world)]).toEqual([at, share, undefined]);
        }
    },
  );

  it('kills of the next two supervisors at any step lose no line either', () => {
    const letters = fc.constantFrom('a', '\n', 'bcd', 'é', 'x'.repeat(3_000), `${'y'.repeat(400)}\n`);
    const text = fc.array(letters, { maxLength: 60 }).map((words) => words.join(''));
    const kills = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 300 }), fc.double({ min: 0, max: 1, noNaN: true })),
      {
        minLength: 1,
        maxLength: 8,
      },
    );
    const story = fc.record({
      printed: fc.record({ stdout: text, stderr: text }),
      reads: fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 5 }),
      maxBytes: fc.constantFrom(0, 100, 1_000, 10_000),
    });
    const told = fc.property(story, kills, (each, times) => {
      const world = begun(each);
      for (const [at, share] of times) untilKilled(world, new Life(at, share));
      live(world, new Life());
      expect(difference(world)).toBeUndefined();
    });
    fc.assert(told, { numRuns: 300 });
  });
});
