// Needs the native addon.
// Privileged: many at once, most of them launched by copies of one template.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { Running } from '../support/command.ts';
import { holds } from '../support/eventually.ts';
import { supervisorLog } from '../support/logs.ts';
import { supervisorPid } from '../support/own-death.ts';
import { asRoot, idOf, limitOf, manifest, namespaceOf, pidsOf, statusLine } from '../support/privileged.ts';
import { isSame, processOf, type Process } from '../support/process-table.ts';
import { steady, type Declared } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { kill, killOnlySupervisor } from '../support/supervisors.ts';
import { expectDone, pass } from '../support/witnesses.ts';

const NOBODY = 65534;

const CONFINED: Declared = steady({
  user: 'nobody',
  capabilities: ['NET_BIND_SERVICE'],
  limits: { nofile: 64, nice: 7 },
  isolation: {
    network: true,
    landlock: { ro_paths: ['/usr', '/lib', '/lib64', '/bin', '/etc'] },
    seccomp: 'baseline',
  },
});

const services = (count: number): Record<string, Declared> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, CONFINED]));

/** The children of the supervisor, without a full process scan, since a bulk command is short. */
const childrenOf = (stage: Stage): readonly Process[] => {
  try {
    const pid = readFileSync(join(stage.data, 'sup.pid'), 'utf8').trim();
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children.split(' ').flatMap((child) => processOf(Number(child)) ?? []);
  } catch {
    return [];
  }
};

/** What is copied, or is a copy that is no program yet, leads a session: it is the oldest. */
const templateOf = (children: readonly Process[]): Process | undefined =>
  children
    .filter(({ command }) => command.endsWith('launcher.cjs template'))
    .toSorted((one, other) => one.startTicks - other.startTicks || one.pid - other.pid)[0];

/**
 * A template in the middle of its work: some run, not all do. That may last for less than `eventually` pauses.
 * `undefined` if the work is over.
 */
const templateAtWork = async (
  stage: Stage,
  { child }: Running,
  count: number,
): Promise<Process | undefined> => {
  while (child.exitCode === null) {
    const children = childrenOf(stage);
    const running = children.filter(({ command }) => command.startsWith('sleep')).length;
    const template = running > 3 && running < count ? templateOf(children) : undefined;
    if (template !== undefined) return template;
    await pause(1);
  }
  return undefined;
};

const allUp = (count: number): Record<string, 'running'> =>
  Object.fromEntries(Object.keys(services(count)).map((name) => [name, 'running'] as const));

/** Each has one process, which is its leader. */
const onceEach = (stage: Stage, count: number): void => {
  const members = stage.members().map(({ service }) => service);
  expect(members.toSorted()).toEqual(
    Object.keys(services(count))
      .map((name) => `__loose__/${name}`)
      .toSorted(),
  );
};

interface Begun {
  readonly template: Process;
  readonly starting: Running;
}

const MOST_STARTS = 10;

/** Starts them, and again if a busy machine let the test see nothing of the template meanwhile. */
const begun = async (stage: Stage, count: number): Promise<Begun> => {
  stage.declare(manifest(services(count)));
  for (let start = 0; start < MOST_STARTS; start += 1) {
    const starting = stage.begin(['start', '--sys', '--daemonize']);
    const template = await templateAtWork(stage, starting, count);
    if (template !== undefined) return { template, starting };
    expectDone(await starting.ended);
    expectDone(await stage.sup('stop'));
  }
  throw new Error('no template was seen with some of its work done');
};

describe('many privileged services at once', () => {
  asRoot('are as they were told, children of the supervisor, and nothing is left over', async (stage) => {
    const COUNT = 50;
    const { template, starting } = await begun(stage, COUNT);
    expectDone(await starting.ended);
    const supervisor = await supervisorPid(stage);
    const pids = Object.values(await pidsOf(stage, services(COUNT)));
    expect(new Set(pids).size).toBe(COUNT);
    for (const pid of pids) {
      expect(processOf(pid)).toMatchObject({ parent: supervisor, session: pid, command: 'sleep 1000' });
      expect([idOf(pid, 'Uid'), idOf(pid, 'Gid'), statusLine(pid, 'Groups')]).toEqual([
        NOBODY,
        NOBODY,
        [String(NOBODY)],
      ]);
      expect(['CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((set) => statusLine(pid, set))).toEqual(
        Array.from({ length: 4 }, () => ['0000000000000400']),
      );
      expect(
        ['NoNewPrivs', 'Seccomp', 'SigIgn', 'SigBlk'].map((word) => Number(statusLine(pid, word)[0])),
      ).toEqual([1, 2, 0, 0]);
      expect(limitOf(pid, 'Max open files')).toEqual(['64', '64']);
    }
    // A network of its own for each.
    expect(new Set([namespaceOf('self', 'net'), ...pids.map((pid) => namespaceOf(pid, 'net'))]).size).toBe(
      COUNT + 1,
    );
    onceEach(stage, COUNT);
    await holds(
      'the template let go',
      () => !isSame(template) && templateOf(childrenOf(stage)) === undefined,
    );
    expectDone(await stage.sup('stop'));
    expect(stage.members()).toEqual([]);
  });

  asRoot('are all started, and none of them twice, when the template is killed', async (stage) => {
    const COUNT = 30;
    kill((await begun(stage, COUNT)).template);
    await pass(stage, allUp(COUNT));
    onceEach(stage, COUNT);
    const told = supervisorLog(stage).filter((line) => line.includes('each launcher is started by itself'));
    expect(told.length).toBeLessThanOrEqual(1);
  });

  asRoot('outlive the supervisor, and the template does not', async (stage) => {
    const COUNT = 30;
    const { template } = await begun(stage, COUNT);
    killOnlySupervisor(stage);
    await holds('the template gone with its supervisor', () => !isSame(template));
    await pass(stage, allUp(COUNT));
    onceEach(stage, COUNT);
  });
});
