import { asyncScheduler, map, merge, of, ReplaySubject, share, timer, type Observable } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { listeningLooks } from '../../../src/sources/probes/listen-lookout.ts';
import { pacesFrom, type Paces } from '../../../src/sources/probes/probe-pauses.ts';
import { probes } from '../../../src/sources/probes/probes.ts';
import type { CommandOutcome } from '../../../src/streams/domain/event.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { HealthCheck } from '../../../src/streams/domain/declared/health-check.ts';
import type { CommandRunner } from '../../../src/streams/domain/ports.ts';
import type { ListeningSockets } from '../../../src/streams/domain/service/port.ts';
import { ms, seconds, type Ms } from '../../../src/streams/domain/time.ts';
import type { ProbeWatch } from '../../../src/streams/domain/watch.ts';
import { rxTest } from '../../support/rx-test.ts';
import { idOf, specOf } from '../../support/spec.ts';

const CHECK: HealthCheck = {
  // The pauses do not depend on how the service is probed, and a command is probed in virtual time.
  probe: { tag: 'command', command: 'false' },
  interval: seconds(2),
  startInterval: ms(100),
  startIntervalMax: ms(500),
  attemptTimeout: seconds(30),
  totalTimeout: ms(0),
  retries: 3,
};
const WATCH: ProbeWatch = {
  type: 'probe',
  key: 'k',
  service: idOf('web'),
  run: runId(1),
  process: { pid: 2 ** 30, startTicks: 1 },
  spec: specOf('web'),
  check: CHECK,
  pace: 'starting',
  whenListening: { port: 8080, isLoopback: true },
};
const FAILED: CommandOutcome = { tag: 'ended', status: { tag: 'code', code: 1 }, evidence: [] };

/** What the looks see: each letter is the inode of a socket on port 8080, `.` is none. */
const socketsOf = (inodes: string): ListeningSockets =>
  new Map([[22, ['1']], ...(inodes === '.' ? [] : [[8080, Array.from(inodes)] as const])]);

const fail = (error: unknown): never => {
  throw error;
};

interface Story {
  readonly looks: string;
  readonly sockets?: Readonly<Record<string, string>>;
  readonly watch?: Partial<ProbeWatch>;
  readonly attemptMs?: number;
  readonly paces?: Paces;
}

/** Emits `n` at the end of each attempt; all of them fail. */
function attempts(rx: RunHelpers, story: Story): Observable<string> {
  const { looks, sockets = {}, watch, attemptMs = 0, paces } = story;
  const seen = Object.fromEntries(['.', 'a', 'b'].map((letter) => [letter, sockets[letter] ?? letter]));
  const listening$ = rx
    .hot(looks, seen)
    .pipe(map(socketsOf), share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: false }));
  listening$.subscribe({ error: fail });
  const outcome$ = attemptMs === 0 ? of(FAILED) : rx.cold(`${attemptMs}ms (f|)`, { f: FAILED });
  const runner: CommandRunner = { hooksLeft: () => [], run: () => outcome$ };
  const witness = {
    strangerAt: () => Promise.resolve(undefined),
    acceptorOf: () => Promise.resolve('unknown' as const),
    isShared: () => Promise.resolve(false),
  };
  const ports = { runner, witness, environment: {}, dataDir: '/d', listening$, ...(paces && { paces }) };
  return probes(ports)({ ...WATCH, ...watch }).pipe(map(() => 'n'));
}

describe('the pauses between probes of a starting service', () => {
  const paced = (of: Story, until: string, marbles: string): void =>
    rxTest((rx) => rx.expectObservable(attempts(rx, of), `^ ${until} !`).toBe(marbles));

  it('a service is probed at the moment when its port begins to listen, and then after short pauses', () => {
    paced(
      { looks: '. 1999ms a' },
      '3650ms',
      'n 99ms n 199ms n 399ms n 799ms n 499ms n 99ms n 199ms n 399ms n 499ms n',
    );
  });

  it('a long interval does not delay the probe of a port that begins to listen', () => {
    const { startIntervalMax: _, ...check } = CHECK;
    const slow = { check: { ...check, interval: seconds(60), startInterval: seconds(60) } };
    paced({ looks: '. 1999ms a', watch: slow }, '50s', 'n 1999ms n');
  });

  it('a port that another process holds does not end a pause, and pauses are at most half a second', () => {
    paced({ looks: 'a' }, '2s', 'n 99ms n 199ms n 399ms n 499ms n 499ms n');
  });

  it('a second socket on a port that another process holds ends the pause', () => {
    paced({ looks: 'a 899ms b', sockets: { b: 'ab' } }, '950ms', 'n 99ms n 199ms n 399ms n 199ms n');
  });

  it('a socket that goes away does not end a pause', () => {
    paced({ looks: 'b 899ms a', sockets: { b: 'ab' } }, '1150ms', 'n 99ms n 199ms n 399ms n');
  });

  it('a socket that appeared during an attempt ends the pause after it at once', () => {
    paced({ looks: '. 549ms a', attemptMs: 300 }, '1200ms', '300ms n 399ms n 299ms n');
  });

  it('a service on another machine is probed at least every half second', () => {
    const far = { whenListening: { port: 8080, isLoopback: false } };
    paced({ looks: '.', watch: far }, '2s', 'n 99ms n 199ms n 399ms n 499ms n 499ms n');
  });

  it('a service is probed at least every half second if the sockets cannot be seen', () => {
    paced({ looks: '-' }, '2s', 'n 99ms n 199ms n 399ms n 499ms n 499ms n');
  });

  it('a pause that an upgrade handed over ends when the port begins to listen, and the next program knows', () => {
    rxTest((rx) => {
      const paces = pacesFrom({ k: 1_500 }, () => ms(asyncScheduler.now()));
      const left$ = timer(900).pipe(map(() => String(paces.all()['k'])));
      const probed$ = attempts(rx, { looks: '. 799ms a', attemptMs: 300, paces });
      rx.expectObservable(merge(probed$, left$), '^ 1150ms !').toBe('900ms 0 199ms n');
    });
  });

  it('a pause that an upgrade handed over is kept if another process already holds the port', () => {
    const paces = { k: 1_500 };
    rxTest((rx) => {
      const handed = pacesFrom(paces, () => ms(asyncScheduler.now()));
      rx.expectObservable(attempts(rx, { looks: 'a', paces: handed }), '^ 1550ms !').toBe('1500ms n');
    });
  });
});

describe('looks at the sockets of the machine', () => {
  interface Machine {
    /** The number of sockets in use, by time. */
    readonly inUse: string;
    /** How long one reading of the tables takes, ms. */
    readonly costMs?: number;
  }

  /** Emits the number of each reading of the tables. */
  function readings(rx: RunHelpers, { inUse, costMs = 0 }: Machine): Observable<ListeningSockets> {
    let count: string | undefined;
    let [numbered, spent] = [0, 0];
    rx.hot(inUse).subscribe({ next: (seen) => (count = seen === '?' ? undefined : seen), error: fail });
    const look = (): ListeningSockets => {
      spent += costMs;
      numbered += 1;
      return new Map([[numbered, []]]);
    };
    const now = (): Ms => ms(asyncScheduler.now());
    return listeningLooks({ now, look, countInUse: () => count, cpuTime: () => ms(spent) });
  }
  const numberOf = (sockets: ListeningSockets): string => String([...sockets.keys()][0]);

  it('the tables are read when the number of sockets has changed, and else twice a second', () => {
    rxTest((rx) => {
      const read$ = readings(rx, { inUse: '5 119ms 6' }).pipe(map(numberOf));
      rx.expectObservable(read$, '^ 1200ms !').toBe('1 149ms 2 499ms 3 499ms 4');
    });
  });

  it('the tables are read every 50 ms if the number of sockets cannot be read', () => {
    rxTest((rx) => {
      const read$ = readings(rx, { inUse: '?' }).pipe(map(numberOf));
      rx.expectObservable(read$, '^ 120ms !').toBe('1 49ms 2 49ms 3');
    });
  });

  it('costly tables are read at once when the number of sockets has changed, and else less often', () => {
    rxTest((rx) => {
      const read$ = readings(rx, { inUse: '5 899ms 6', costMs: 20 }).pipe(map(numberOf));
      rx.expectObservable(read$, '^ 1900ms !').toBe('1 899ms 2');
    });
  });

  it('reading the tables takes at most a fiftieth of the time, after the first few', () => {
    rxTest((rx) => {
      const read$ = readings(rx, { inUse: '?', costMs: 20 }).pipe(map(numberOf));
      rx.expectObservable(read$, '^ 1900ms !').toBe('1 49ms 2 49ms 3 49ms 4 49ms 5 49ms 6 749ms 7');
    });
  });

  it('all probes share one look, and one that begins later gets what was seen last', () => {
    rxTest((rx) => {
      const shared$ = readings(rx, { inUse: '5' });
      rx.expectObservable(shared$.pipe(map(numberOf)), '^ 600ms !').toBe('1 499ms 2');
      rx.expectObservable(shared$.pipe(map(numberOf)), '220ms ^ 379ms !').toBe('220ms 1 279ms 2');
    });
  });

  it('nothing is looked at while no probe waits, and the next one looks at once, 50 ms after the last look', () => {
    rxTest((rx) => {
      const read$ = readings(rx, { inUse: '5' }).pipe(map(numberOf));
      rx.expectObservable(read$, '^ 60ms !').toBe('1');
      rx.expectObservable(read$, '70ms ^ 20ms !').toBe('');
      rx.expectObservable(read$, '3s ^ 20ms !').toBe('3s 2');
    });
  });
});
