import { Duplex, PassThrough } from 'node:stream';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Launcher, LaunchRequest, StartLauncher } from '../../../src/sinks/privilege/launch-process.ts';
import { launchersOf } from '../../../src/sinks/privilege/launcher-pool.ts';
import { LaunchRefused, NotLaunched } from '../../../src/sinks/privilege/launch-reports.ts';
import type { LaunchReport, PlannedStep } from '../../../src/streams/launch/launch-step.ts';

const GOING: readonly LaunchReport[] = [{ tag: 'going' }];
const REFUSED: readonly LaunchReport[] = [
  { tag: 'refused', step: 'nice', key: 'limits.nice', detail: 'setpriority: EACCES' },
];

/** One that has its orders, and says this. */
const launcher = (reports: readonly LaunchReport[]): Launcher => {
  const said = new PassThrough();
  said.end(reports.map((report) => `${JSON.stringify(report)}\n`).join(''));
  const channel = Duplex.from({ readable: said, writable: new PassThrough().resume() });
  return { pid: process.pid, exit: Promise.resolve({ tag: 'code', code: 127 }), channel };
};

const STEP: PlannedStep = { tag: 'nice', value: 1, key: 'limits.nice', mayRefuse: [] };
const request = (more: Partial<LaunchRequest> = {}): LaunchRequest => ({
  launcher: 'launcher.cjs',
  orders: [{ steps: [STEP], program: { argv: ['true'], environment: {} } }],
  environment: {},
  output: { stdout: 1, stderr: 2 },
  descriptors: [],
  ...more,
});

interface Played {
  /** The launchers used, in order, and the results of templates. */
  readonly said: string[];
  readonly told: string[];
  readonly launch: (more?: Partial<LaunchRequest>) => Promise<unknown>;
  /** One in each turn, as a supervisor starts them; ordinary ones go on when the last has asked. */
  readonly bulk: (count: number) => Promise<void>;
}

const begins =
  (reports: readonly LaunchReport[]): StartLauncher =>
  () =>
    Promise.resolve(launcher(reports));
const breaks: StartLauncher = () => Promise.reject(new NotLaunched('the template of launchers is gone'));

/** Two at once; a template copies by `begin`. */
const play = (begin: StartLauncher = begins(GOING), lingerMs = 60_000): Played => {
  const said: string[] = [];
  const told: string[] = [];
  const { whenFree: inPlace, launch } = launchersOf({
    endOf: () => Promise.resolve({ tag: 'unknown' }),
    template: () => {
      said.push('started');
      return {
        begin: (asked) => {
          said.push('copy');
          return begin(asked);
        },
        closeSocket: () => void said.push('let go'),
        kill: () => void said.push('killed'),
      };
    },
    logError: (text) => void told.push(text),
    single: async () => {
      said.push('single');
      await asked;
      return launcher(GOING);
    },
    most: 2,
    lingerMs,
  });
  const ask: Played['launch'] = (more) => inPlace(() => launch(request(more)));
  let asked = Promise.resolve();
  const bulk = async (count: number): Promise<void> => {
    asked = setImmediate();
    for (let at = 1; at < count; at += 1) asked = asked.then(() => setImmediate());
    await Promise.all(
      Array.from({ length: count }, async (_, at) => {
        for (let turn = 0; turn < at; turn += 1) await setImmediate();
        await ask();
      }),
    );
  };
  return { said, told, launch: ask, bulk };
};

describe('launchers', () => {
  it('launchers start one by one while none has to wait', async () => {
    const played = play();
    await played.bulk(2);
    await played.launch();
    expect(played.said).toEqual(['single', 'single', 'single']);
  });

  it('launchers are copies of a template from the first that has to wait, and the template ends afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const played = play(begins(GOING), 5);
    await played.bulk(5);
    expect(played.said.toSorted()).toEqual(['copy', 'copy', 'copy', 'single', 'single', 'started']);
    vi.advanceTimersByTime(5);
    expect(played.said).toContain('let go');
    await played.launch();
    expect(played.said.at(-1)).toBe('single');
  });

  it('a template is kept for launches that follow soon', async () => {
    const played = play();
    await played.bulk(3);
    await pause(10);
    await played.launch();
    expect(played.said.slice(-2)).toEqual(['copy', 'copy']);
  });

  it('launchers start one by one if a user namespace is on the way', async () => {
    const played = play();
    await played.bulk(3);
    await played.launch({ orders: [{ steps: [STEP] }, { steps: [] }] });
    expect(played.said.at(-1)).toBe('single');
  });

  it('a launch that the template fails is repeated once by an ordinary launcher, and reported once', async () => {
    for (const begin of [breaks, begins([])]) {
      const played = play(begin);
      await played.bulk(6);
      expect(played.said.filter((word) => word === 'single')).toHaveLength(6);
      expect(played.said).toContain('killed');
      expect(played.told).toHaveLength(1);
      expect(played.told[0]).toContain('each launcher is started by itself');
    }
  });

  it('after three failed templates no more are started', async () => {
    const played = play(breaks);
    for (let time = 0; time < 5; time += 1) await played.bulk(3);
    expect(played.said.filter((word) => word === 'started')).toHaveLength(3);
    expect(played.told).toHaveLength(1);
  });

  it('launchers work without a template that cannot be started', async () => {
    const told: string[] = [];
    const { whenFree: inPlace, launch } = launchersOf({
      endOf: () => Promise.resolve({ tag: 'unknown' }),
      template: () => {
        throw new Error('socketpair: EMFILE');
      },
      logError: (text) => void told.push(text),
      single: () => Promise.resolve(launcher(GOING)),
      most: 1,
    });
    await Promise.all([request(), request(), request()].map((each) => inPlace(() => launch(each))));
    expect(told).toEqual(['socketpair: EMFILE: each launcher is started by itself']);
  });

  it('launchers start one by one without the C library, and that is no warning', async () => {
    const told: string[] = [];
    let singles = 0;
    const { whenFree: inPlace, launch } = launchersOf({
      endOf: () => Promise.resolve({ tag: 'unknown' }),
      template: () => undefined,
      logError: (text) => void told.push(text),
      single: () => {
        singles += 1;
        return Promise.resolve(launcher(GOING));
      },
      most: 1,
    });
    await Promise.all(Array.from({ length: 5 }, () => inPlace(() => launch(request()))));
    expect([singles, told]).toEqual([5, []]);
  });

  it('a step that was refused to a copy is reported and not retried', async () => {
    const played = play(begins(REFUSED));
    await expect(played.bulk(3)).rejects.toThrow(LaunchRefused);
    expect(played.said).toEqual(['single', 'single', 'started', 'copy']);
    expect(played.told).toEqual([]);
  });
});
