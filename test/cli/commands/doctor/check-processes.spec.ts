import { describe, expect, it } from 'vitest';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { projectId, runId, serviceId } from '../../../../src/streams/domain/ids.ts';
import { processes, runsAlive } from '../../../../src/cli/commands/doctor/check-processes.ts';
import { RUN, serviceIn, STATES, TAGS } from '../../../support/states.ts';

const web = serviceId(projectId('shop'), 'web');
const db = serviceId(projectId('shop'), 'db');
const recorded = [{ service: web, runs: [4, 5] }];

const judged = (...carriers: Parameters<typeof processes.judge>[0]['carriers']): readonly string[] =>
  processes.judge({ carriers, recorded }).map(({ level, says }) => `${level}: ${says}`);

describe('marked processes', () => {
  it('marked processes of recorded runs are fine, also during a rollout with two', () => {
    expect(judged()).toEqual(['ok: no run is alive']);
    expect(judged({ service: web, run: 4, pid: 7 })).toEqual(['ok: 1 run is alive, and on record']);
    expect(judged({ service: web, run: 4, pid: 7 }, { service: web, run: 5, pid: 8 })).toEqual([
      'ok: 2 runs are alive, all of them on record',
    ]);
  });

  it('marked processes beside the recorded run are a second copy', () => {
    expect(judged({ service: web, run: 4, pid: 7 }, { service: web, run: 3, pid: 6 })).toEqual([
      'problem: beside the run on record: shop/web#3 (pid 6)',
    ]);
  });

  it('marked processes of an unrecorded run are left over', () => {
    expect(judged({ service: web, run: 3, pid: 6 })).toEqual([
      'warning: left over, of no run that is alive on record: shop/web#3 (pid 6)',
    ]);
  });

  it('marked processes of an unrecorded service are adopted, not ended', () => {
    const carriers = [
      { service: db, run: 1, pid: 9 },
      { service: web, run: 3, pid: 6 },
    ];
    expect(processes.judge({ carriers, recorded })).toEqual([
      {
        ...{ id: 'unrecorded', level: 'warning' },
        says: 'alive, of services that are not on record: shop/db#1 (pid 9)',
        mend: expect.stringMatching(/^sup start: the supervisor adopts/) as string,
      },
      expect.objectContaining({ id: 'orphans', mend: 'end them: kill 6' }),
    ]);
  });

  it('marked processes of a service that is down are left over, also of its last run', () => {
    const [finding] = processes.judge({
      carriers: [{ service: web, run: 5, pid: 7 }],
      recorded: [{ service: web, runs: [] }],
    });
    expect(finding).toMatchObject({ level: 'warning', mend: 'end them: kill 7' });
    expect(finding?.says).toContain('shop/web#5 (pid 7)');
  });
});

describe('runs of a service that may have processes', () => {
  it.each(TAGS)('a service that is down has no such run, another has its own: %s', (tag) => {
    expect(runsAlive(serviceIn(tag))).toEqual('run' in STATES[tag] ? [RUN] : []);
  });

  it('runs of rollouts and of children are included', () => {
    const other = { ...serviceIn('up'), actual: { ...STATES.up, run: runId(8) } };
    const child = { actual: { ...STATES.up, run: runId(9) } };
    const service = { ...serviceIn('up'), rollout: { other }, children: [child] } as unknown as Service;
    expect(runsAlive(service)).toEqual([RUN, 8, 9]);
  });
});
