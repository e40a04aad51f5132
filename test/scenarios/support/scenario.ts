// One scenario: a stage, the play, the sweep. When the play fails, everything that is known of it is told.
import { setTimeout as pause } from 'node:timers/promises';
import { it } from 'vitest';
import { outcomeText } from './command.ts';
import { kinOf } from './kin.ts';
import { supervisorLog } from './logs.ts';
import { openStage, type Actor, type Stage } from './stage.ts';
import { sweep } from './sweep.ts';

const TAIL = 40;

const statusText = async (stage: Stage): Promise<string> => {
  try {
    const { document } = await stage.status();
    const words = document.projects.flatMap(({ id, services }) =>
      services.map(
        ({ name, state, pid, run, reason }) =>
          `${id}/${name} ${state} pid ${pid ?? '-'} run ${run} (${reason ?? ''})`,
      ),
    );
    return [`supervisor ${JSON.stringify(document.supervisor)}`, ...words].join('\n  ');
  } catch (error) {
    return String(error);
  }
};

const report = async (stage: Stage): Promise<string> => {
  const outcomes = stage.outcomes
    .filter(({ line }) => !/^sup (status|inspect) --json/.test(line))
    .slice(-12)
    .map(outcomeText);
  const unfinished = [...stage.running].map(
    ({ stdout, stderr, child }) =>
      `$ ${child.spawnargs.slice(2).join(' ')}  → still running\n  out: ${stdout()}\n  err: ${stderr()}`,
  );
  const alive = kinOf(stage).map(({ pid, parent, command }) => `  ${pid} (of ${parent}) ${command}`);
  return [
    '--- commands',
    ...outcomes,
    ...unfinished,
    '--- status',
    `  ${await statusText(stage)}`,
    '--- alive',
    ...alive,
    '--- supervisor log',
    ...supervisorLog(stage).slice(-TAIL),
  ].join('\n');
};

const withReport = async (error: unknown, stage: Stage): Promise<Error> => {
  const failed = error instanceof Error ? error : new Error(String(error));
  failed.message = `${failed.message}\n${await report(stage)}`;
  return failed;
};

/** Below the limit of the test runner, which would leave everything of the scenario alive. */
const LIMIT_MS = 240_000;

const tooLong = async (): Promise<never> => {
  await pause(LIMIT_MS, undefined, { ref: false });
  throw new Error(`the scenario hung for ${LIMIT_MS} ms`);
};

/** A test: the play on a stage of its own. */
export const scenario = (title: string, play: (stage: Stage) => Promise<void>, actor?: Actor): void => {
  it(title, async () => {
    const stage = openStage(actor);
    let failed: Error | undefined;
    try {
      await Promise.race([play(stage), tooLong()]);
    } catch (error) {
      failed = await withReport(error, stage);
    }
    const complaints = await sweep(stage);
    if (failed === undefined && complaints.length > 0) throw new Error(complaints.join('\n'));
    if (failed === undefined) return;
    failed.message = [failed.message, ...complaints].join('\n');
    throw failed;
  });
};
