// W16: ten releases and three broken releases of a service behind haproxy (two slots) and of a service with a
// held socket, while wrk sends requests at full speed. Counts failed requests, and compares the requests per
// second during and before the releases. The services are those of examples/rolling.
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { underLoad, type Answers } from '../measure/load.ts';
import { ensured } from '../measure/debian.ts';
import { freePort } from '../measure/free-port.ts';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { ratio, type Figure } from '../report/figure.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

const BROKEN = 'broken';
const RELEASES = ['2', '3', BROKEN, '4', '5', '6', BROKEN, '7', '8', '9', '10', BROKEN, '11'];
const FEW = ['2', BROKEN, '3'];
const CONNECTIONS = 16;

/** Ports in the example: two slots, haproxy, and the held socket. */
const SLOTS = ['18001', '18002'] as const;
const HAPROXY = '18080';
const HELD = '18090';

const SUBJECTS = [
  { service: 'web', port: HAPROXY, name: 'blue/green behind haproxy' },
  { service: 'held', port: HELD, name: 'rolling, held socket' },
] as const;

/** For each port of the example, the free port that replaces it. */
type Ports = ReadonlyMap<string, string>;

const freePorts = async (): Promise<Ports> => {
  const pairs = new Map<string, string>();
  for (const port of [...SLOTS, HAPROXY, HELD]) pairs.set(port, String(await freePort()));
  return pairs;
};

const moved = (text: string, ports: Ports): string =>
  text.replaceAll(/\b18\d{3}\b/g, (port) => ports.get(port) ?? port);

interface Example {
  readonly sup: Sup;
  readonly ports: Ports;
  readonly releases: readonly string[];
  readonly seconds: number;
  readonly release: (number: string) => Promise<unknown>;
}

const openExample = async ({ root, quick }: Bench, sup: Sup, directory: string): Promise<Example> => {
  const from = join(root, 'examples/rolling');
  const ports = await freePorts();
  await copyFile(join(from, 'server.mjs'), join(directory, 'server.mjs'));
  await copyFile(join(from, 'switch.sh'), join(directory, 'switch.sh'));
  const config = await readFile(join(from, 'haproxy.cfg'), 'utf8');
  await writeFile(join(directory, 'haproxy.cfg'), moved(config, ports));
  const manifest = moved(await readFile(join(from, 'sup.yaml'), 'utf8'), ports);
  return {
    sup,
    ports,
    releases: quick ? FEW : RELEASES,
    seconds: quick ? 3 : 15,
    release: (number) => sup.write(manifest.replaceAll('${RELEASE:-1}', number)),
  };
};

/** Applies all releases. Rejects if a broken release succeeds, or if a good release fails. */
const rollOut = async ({ sup, releases, release }: Example, service: string): Promise<void> => {
  for (const number of releases) {
    await release(number);
    const { status, stderr } = await sup.attempt(['apply', `rolling/${service}`]);
    if ((status === 0) === (number === BROKEN))
      throw new Error(`release ${number} of ${service}: ${String(status)} ${stderr}`);
  }
};

const measure = async (example: Example, { service, port }: (typeof SUBJECTS)[number]): Promise<Phases> => {
  const load = {
    url: `http://127.0.0.1:${example.ports.get(port) ?? port}/`,
    connections: CONNECTIONS,
  };
  const before = await underLoad(load, () => pause(example.seconds * 1000));
  const during = await underLoad(load, () => rollOut(example, service));
  return { before, during };
};

interface Phases {
  readonly before: Answers;
  readonly during: Answers;
}

const figuresOf = (name: string, { before, during }: Phases): readonly Figure[] => {
  const subject = 'sup';
  const what = `${name}: requests/s`;
  return [
    { subject, what: `${what} before`, value: before.perSecond, unit: '/s' },
    { subject, what: `${what} during`, value: during.perSecond, unit: '/s' },
    {
      ...ratio({ subject, what: `${what}, during to before` }, during.perSecond, before.perSecond),
      goal: { atLeast: 0.9 },
    },
    { subject, what: `${name}: requests answered`, value: during.answered, unit: '' },
    { subject, what: `${name}: requests failed`, value: during.failed, unit: '', goal: { atMost: 0 } },
  ];
};

export const rollouts: Workload = {
  id: 'W16',
  title: 'releases under load',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async ({ directory, environment }) => {
      // Debian installs haproxy in /usr/sbin.
      const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;
      for (const program of ['haproxy', 'wrk', 'curl']) await ensured({ program, from: program });
      const sup = openSup(bench.dist, { directory, environment: { ...environment, PATH } });
      const example = await openExample(bench, sup, directory);
      await example.release('1');
      await sup.start();
      const figures: Figure[] = [];
      for (const subject of SUBJECTS) {
        const phases = await measure(example, subject);
        for (const words of phases.during.failures) bench.say(`${subject.name}: ${words}`);
        figures.push(...figuresOf(subject.name, phases));
      }
      await sup.end();
      return figures;
    }),
};
