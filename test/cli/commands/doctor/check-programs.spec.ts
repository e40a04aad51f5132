import { describe, expect, it } from 'vitest';
import {
  judgeCodeCache,
  judgeFfi,
  judgeNode,
  judgeWalls,
} from '../../../../src/cli/commands/doctor/check-programs.ts';

describe('what sup runs on', () => {
  it('is a Node that is not too old', () => {
    expect(judgeNode('v20.19.3')).toEqual({ id: 'node', level: 'ok', says: 'Node v20.19.3' });
    expect(judgeNode('v18.20.0')).toMatchObject({ level: 'problem', mend: 'install Node 20.19 or later' });
  });

  it('may lack calls to the C library, and says what that costs', () => {
    expect(judgeFfi(undefined, { mend: 'npm …' })).toMatchObject({ level: 'ok' });
    const lacking = judgeFfi('no such package', { mend: 'npm …' });
    expect(lacking).toMatchObject({ level: 'warning', mend: 'npm …' });
    expect(lacking.says).toContain('(no such package): services with user, limits');
    const undone = 'sockets (shop/web)';
    expect(judgeFfi('no such package', { mend: 'npm …', undone }).says).toBe(
      'no calls to the C library (no such package): not carried out: sockets (shop/web)',
    );
  });

  it('may have to be compiled at each start, and says why', () => {
    expect(judgeCodeCache('used', 'npm …')).toMatchObject({ id: 'code cache', level: 'ok' });
    for (const [why, says] of [
      ['absent', 'left none'],
      ['damaged', 'damaged'],
      ['refused', 'another Node'],
    ] as const) {
      const finding = judgeCodeCache(why, 'npm …');
      expect(finding).toMatchObject({ level: 'warning', mend: 'npm …' });
      expect(finding.says).toContain(says);
    }
  });
});

describe('the walls that need the C library', () => {
  it('are named with what is missing', () => {
    expect(judgeWalls(undefined, 'npm …')).toMatchObject({ level: 'ok' });
    const lacking = judgeWalls('no such package', 'npm …');
    expect(lacking).toMatchObject({ level: 'warning', mend: 'npm …' });
    expect(lacking.says).toContain('callers of the control socket are not judged');
  });
});
