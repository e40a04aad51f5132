// The end of each scenario: `sup shutdown`, and then no process of the scenario is alive.
import { rmSync } from 'node:fs';
import type { Outcome } from './command.ts';
import { eventually } from './eventually.ts';
import { kinOf, stillAlive } from './kin.ts';
import { supervisorLog } from './logs.ts';
import type { Process } from './process-table.ts';
import type { Stage } from './stage.ts';

/** From the end of `sup shutdown` until the kernel has cleared the supervisor away. */
const GRACE_MS = 60_000;

const survivors = (stage: Stage): readonly Process[] => {
  const kin = new Map(kinOf(stage).map((one) => [one.pid, one]));
  for (const one of stillAlive(stage.seen.values())) kin.set(one.pid, one);
  return [...kin.values()];
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was quicker.
  }
};

/** A fork in flight escapes one scan, so scans repeat until no process is found. */
const killAll = async (stage: Stage): Promise<void> => {
  await eventually({
    what: 'leftovers killed with SIGKILL to be gone',
    look: () => {
      const left = survivors(stage);
      left.forEach(({ pid }) => kill(pid));
      return left.length === 0 ? true : undefined;
    },
  });
};

const listed = (left: readonly Process[]): string =>
  left.map(({ pid, command }) => `  ${pid} ${command}`).join('\n');

/** A shutdown that found nothing to shut down is one that went well. */
const shutDown = async (stage: Stage): Promise<readonly string[]> => {
  try {
    const outcome: Outcome = await stage.sup('shutdown');
    const nothing = outcome.status === 1 && outcome.stderr.startsWith('ERR0206');
    return outcome.status === 0 || nothing ? [] : [`sup shutdown failed: ${outcome.stderr}`];
  } catch (error) {
    return [String(error)];
  }
};

/** A bug that the supervisor noticed itself, and lived on with. */
const bugs = (stage: Stage): readonly string[] => {
  const isMeant = (line: string): boolean => [...stage.meant].some((bug) => line.includes(bug));
  // Lines of a stack belong to the line before them.
  const told = supervisorLog(stage)
    .join('\n')
    .split(/\n(?!\s+at )/)
    .filter((entry) => /ERR0001|^\s+at /m.test(entry) && !isMeant(entry));
  return told.length === 0 ? [] : [`the supervisor tells of a bug:\n${told.join('\n')}`];
};

const endCommands = async (stage: Stage): Promise<void> => {
  const left = [...stage.running];
  left.forEach(({ child }) => child.kill('SIGKILL'));
  await Promise.allSettled(left.map(({ ended }) => ended));
};

/** What was left, in words; empty when the scenario left the world as it found it. */
export const sweep = async (stage: Stage): Promise<readonly string[]> => {
  await endCommands(stage);
  const complaints = [...(await shutDown(stage))];
  stage.close();
  let left = survivors(stage);
  await eventually(
    {
      what: 'nobody alive',
      look: () => ((left = survivors(stage)).length === 0 ? true : undefined),
    },
    GRACE_MS,
  ).catch(() => complaints.push(`alive after shutdown:\n${listed(left)}`));
  await killAll(stage);
  complaints.push(...bugs(stage));
  rmSync(stage.root, { recursive: true, force: true, maxRetries: 3 });
  return complaints;
};
