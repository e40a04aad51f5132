// `sup supervise` as process 1: a process that loses its parent becomes its child and is collected.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { eventually, expectSame, type Check } from '../check.ts';
import { processes, read } from '../kernel.ts';
import { pidOf, serviceNamed, told } from '../sup.ts';

const ORPHANS = 20;

const zombies = (): readonly string[] =>
  processes().flatMap(({ pid, state, parent, command }) =>
    state === 'Z' ? [`${pid} ${command} (parent ${parent})`] : [],
  );

const MAY_END = '/tmp/orphans-may-end';

/** It ends at once; what it started lives on until it is told, with process 1 for its parent. */
const makeOrphans = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const line = Array.from(
      { length: ORPHANS },
      (_, at) => `(until [ -e ${MAY_END} ]; do sleep 0.5; done; exit ${at % 3}) &`,
    ).join(' ');
    const shell = spawn('/bin/sh', ['-c', line], { stdio: 'ignore', detached: true });
    shell.once('error', reject);
    shell.once('exit', () => resolve());
  });

const orphans = (): number =>
  processes().filter(({ parent, command, state }) => parent === 1 && command === 'sh' && state !== 'Z')
    .length;

export const processOne: readonly Check[] = [
  {
    title: 'the supervisor is process 1, and has started its manifest',
    run: async () => {
      await eventually('the supervisor', () =>
        read('/proc/1/cmdline').includes('supervise') ? true : undefined,
      );
      await eventually('web and db', () => {
        try {
          return serviceNamed('web').state === 'running' && serviceNamed('db').state === 'running'
            ? true
            : undefined;
        } catch {
          return undefined;
        }
      });
    },
  },
  {
    title: 'orphans that become its children are collected when they end: no zombie is left',
    run: async () => {
      const before = orphans();
      await makeOrphans();
      expectSame('orphans of process 1', orphans() - before, ORPHANS);
      writeFileSync(MAY_END, '');
      await eventually('their end', () => (orphans() <= before ? true : undefined));
      await eventually(`no zombie (${zombies().length})`, () => (zombies().length === 0 ? true : undefined));
    },
  },
  {
    title: 'services keep their own exit statuses all the while',
    run: async () => {
      process.kill(pidOf('web'), 'SIGKILL');
      await eventually('a new web', () => (serviceNamed('web').state === 'running' ? true : undefined));
      if (!told('inspect', '--sys', 'web', '--json').includes('killed by SIGKILL'))
        throw new Error('inspect does not say so');
    },
  },
];
