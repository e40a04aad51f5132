import { describe, expect, it } from 'vitest';
import {
  judgeCodeCache,
  judgeFfi,
  judgeNode,
  judgeWalls,
} from '../../../../src/cli/commands/doctor/check-programs.ts';

describe('the programs of sup', () => {
  it('Node must be recent enough', () => {
    expect(judgeNode('v20.19.3')).toEqual({ id: 'node', level: 'ok', says: 'Node v20.19.3' });
    expect(judgeNode('v18.20.0')).toMatchObject({ level: 'problem', mend: 'install Node 20.19 or later' });
  });

  it('a missing C library is reported with its cost', () => {
    expect(judgeFfi(undefined, { mend: 'npm …' })).toMatchObject({ level: 'ok' });
    const lacking = judgeFfi('no such package', { mend: 'npm …' });
    expect(lacking).toMatchObject({ level: 'warning', mend: 'npm …' });
    expect(lacking.says).toContain('(no such package): services with user, limits');
    const undone = 'sockets (shop/web)';
    expect(judgeFfi('no such package', { mend: 'npm …', undone }).says).toBe(
      'no calls to the C library (no such package): not carried out: sockets (shop/web)',
    );
  });

  it('a missing code cache is reported with its reason', () => {
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

describe('confinement that needs the C library', () => {
  it('missing confinement is named with what is missing', () => {
    expect(judgeWalls(undefined, 'npm …')).toMatchObject({ level: 'ok' });
    const lacking = judgeWalls('no such package', 'npm …');
    expect(lacking).toMatchObject({ level: 'warning', mend: 'npm …' });
    expect(lacking.says).toContain('callers of the control socket are not judged');
  });
});
