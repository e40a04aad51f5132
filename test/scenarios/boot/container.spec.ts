// Needs the native addon.
// The example container, as process 1 of a namespace: it starts, supervises, collects orphans, and ends as it should.
import { describe, expect } from 'vitest';
import { startContainer, type Container } from '../support/container.ts';
import { eventually, holds } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { scenario } from '../support/scenario.ts';

interface Shown {
  readonly projects: readonly {
    readonly services: readonly {
      readonly name: string;
      readonly state: string;
      readonly pid: number | null;
    }[];
  }[];
}

const SUP = ['node', '/opt/sup/dist/sup.js'] as const;

const servicesIn = ({ enter }: Container): Shown['projects'][number]['services'] => {
  const { stdout } = enter(...SUP, 'status', '--json');
  return stdout === '' ? [] : (JSON.parse(stdout) as Shown).projects.flatMap(({ services }) => services);
};

const wordsIn = (container: Container): readonly string[] =>
  servicesIn(container)
    .map(({ name, state }) => `${name} ${state}`)
    .sort();

const allUp = async (container: Container): Promise<void> => {
  let words: readonly string[] = [];
  await eventually({
    what: 'all of it runs',
    look: () => {
      words = wordsIn(container);
      return words.join() === 'api running,tidy scheduled,worker running' ? true : undefined;
    },
    instead: () => [words, container.enter(...SUP, 'status'), container.running.stderr()],
  });
};

const pidOf = (container: Container, name: string): number | undefined =>
  servicesIn(container).find((one) => one.name === name)?.pid ?? undefined;

/** The pid of a service that runs, other than `before`. */
const newPidOf = (container: Container, name: string, before?: number): Promise<number> =>
  eventually({
    what: `a pid of ${name}`,
    look: () => {
      const pid = pidOf(container, name);
      return pid === before ? undefined : pid;
    },
  });

describe('the example container', () => {
  scenario(
    'the example container supervises, reaps each orphan, and stops in order at SIGTERM',
    async (stage) => {
      const port = await freePort();
      const container = await startContainer(stage, { PORT: String(port) });
      await allUp(container);
      // It fails for a moment if the supervisor is busy.
      await holds('health', () => container.enter(...container.image.healthcheck).status === 0);
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('{"asked":1}\n');
      await holds('the worker has counted', () =>
        container.running.stdout().includes('worker | 1 questions so far'),
      );

      // Fifty orphans, each of which ends after its parent: whose they are then is process 1's business.
      const orphans =
        'for each in 1 2 3 4 5 6 7 8 9 10; do (for one in 1 2 3 4 5; do (sleep 0.2 &); done); done';
      expect(container.enter('sh', '-c', orphans).status).toBe(0);
      await eventually({
        what: 'no orphan and no zombie',
        look: () => {
          const left = container
            .children()
            .filter((child) => child.startsWith('Z') || child.includes('(sleep)'));
          return left.length === 0 ? true : undefined;
        },
        instead: container.children,
      });

      const api = await newPidOf(container, 'api');
      container.enter('kill', '-KILL', String(api));
      await newPidOf(container, 'api', api);
      await allUp(container);

      process.kill(container.pid, 'SIGTERM');
      const { status, stdout, stderr } = await container.running.ended;
      expect(status).toBe(0);
      expect(stdout).toContain(`api    | listening at port ${port}`);
      expect(stdout.trimEnd().split('\n').at(-1)).toBe('api    | closing');
      expect(stderr.indexOf('[app/worker] stopped')).toBeLessThan(stderr.indexOf('[app/api] stopped'));
    },
  );

  scenario('the example container exits with the status of its API', async (stage) => {
    const port = await freePort();
    const closed = await startContainer(stage, { PORT: String(port) });
    await allUp(closed);
    closed.enter('kill', '-TERM', String(await newPidOf(closed, 'api')));
    expect(await closed.running.ended).toMatchObject({ status: 0 });
  });

  scenario('the example container exits with 137 if its API was killed repeatedly', async (stage) => {
    const port = await freePort();
    const killed = await startContainer(stage, { PORT: String(port) });
    await allUp(killed);
    let last: number | undefined;
    const strike = setInterval(() => {
      const pid = pidOf(killed, 'api');
      if (pid !== undefined && pid !== last) killed.enter('kill', '-KILL', String((last = pid)));
    }, 100);
    const { status, stderr } = await killed.running.ended.finally(() => clearInterval(strike));
    expect([status, stderr.includes('ERR0110') || stderr.includes('essential')]).toEqual([137, true]);
  });
});
