import { describe, expect, it } from 'vitest';
import { projectId, serviceId } from '../../../src/streams/domain/ids.ts';
import { judgeMarks } from '../../../src/streams/doctor/marks.ts';

const web = serviceId(projectId('shop'), 'web');
const db = serviceId(projectId('shop'), 'db');
const recorded = [{ service: web, runs: [4, 5] }];

const judged = (...carriers: Parameters<typeof judgeMarks>[0]): readonly string[] =>
  judgeMarks(carriers, recorded).map(({ level, says }) => `${level}: ${says}`);

describe('processes that carry a mark', () => {
  it('are those on record, also while a rollout has two', () => {
    expect(judged()).toEqual(['ok: 0 runs are alive, all of them on record']);
    expect(judged({ service: web, run: 4, pid: 7 }, { service: web, run: 5, pid: 8 })).toEqual([
      'ok: 2 runs are alive, all of them on record',
    ]);
  });

  it('beside the run on record are a second copy', () => {
    expect(judged({ service: web, run: 4, pid: 7 }, { service: web, run: 3, pid: 6 })).toEqual([
      'problem: beside the run on record: shop/web#3 (pid 6)',
    ]);
  });

  it('of no run on record are left over', () => {
    expect(judged({ service: web, run: 3, pid: 6 }, { service: db, run: 1, pid: 9 })).toEqual([
      'warning: of no run on record: shop/web#3 (pid 6), shop/db#1 (pid 9)',
    ]);
  });
});
