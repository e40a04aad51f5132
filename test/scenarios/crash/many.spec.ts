// Hundreds of schedules and probes at once, none of which delays another.
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { linesOf } from '../support/marks.ts';
import { loose, shell, steady, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, serviceIn, servicesOf, started } from '../support/witnesses.ts';

const many = (count: number, declare: (index: number) => Declared): Readonly<Record<string, Declared>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, declare(index)]));

/** Waits until every one of them has left its line. */
const everybodyIn = (stage: Stage, file: string, count: number): Promise<unknown> =>
  eventually({
    what: `a line of each of ${count}`,
    look: () => Promise.resolve(new Set(linesOf(stage, file)).size === count || undefined),
  });

describe('hundreds of services', () => {
  scenario(
    'hundreds of scheduled services run on time, and commands are answered meanwhile',
    async (stage) => {
      const cron = { expression: '*/15 * * * * *' };
      await started(stage, loose(many(300, (index) => shell(`echo ${index} >>runs`, { cron }))));
      await everybodyIn(stage, 'runs', 300);
      expectDone(await stage.sup('stop', '-s', 's7'));
      expect(serviceIn((await stage.status()).document, 's7')).toMatchObject({ state: 'stopped', pid: null });
      // The others go on with their next run, at whatever moment one looks.
      expectDone(await stage.sup('stop'));
      await agree(stage, { s7: 'stopped', s8: 'stopped' });
    },
  );

  scenario(
    'hundreds of services probed each second stay healthy, and commands are answered meanwhile',
    async (stage) => {
      const probe = (index: number): Declared => ({
        deployment: {
          health_check: { command: `echo ${index} >>probes`, interval: '1s', attempt_timeout: '1m' },
        },
      });
      stage.declare(loose(many(200, (index) => steady(probe(index)))));
      expectDone(await stage.begin(['start', '--daemonize']).ended);
      await eventually({
        what: 'three rounds of probes',
        look: () => Promise.resolve(linesOf(stage, 'probes').length >= 600 || undefined),
      });
      expectDone(await stage.sup('stop', '-s', 's7'));
      // On a busy machine the record may answer instead of the supervisor, and it has no health.
      const document = await eventually({
        what: 'an answer of the supervisor itself',
        look: async () => {
          const answer = (await stage.status()).document;
          return answer.supervisor.warnings.length === 0 ? answer : undefined;
        },
      });
      const services = [...servicesOf(document).values()];
      expect(services.filter(({ health, restarts }) => health === 'healthy' && restarts === 0)).toHaveLength(
        199,
      );
    },
  );
});
