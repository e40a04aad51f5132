// docs/security.md has the checks of `sup security`, as the program has them.
import { describe, expect, it } from 'vitest';
import { SECURITY_CHECKS } from '../../src/streams/views/security/security-checks.ts';
import { securityRows } from '../../src/streams/views/security/security-score.ts';
import { compareBlock, tableOf } from '../support/docs/block.ts';
import { specOf } from '../support/spec.ts';

const STARTER = { own: { uid: 0, name: 'root' }, privileged: true };

describe('docs/security.md', () => {
  it('docs/security.md has each check of sup security with its weight and the line that closes it', async () => {
    const rows = securityRows(specOf('web'), STARTER).map(({ check: { id, open, weight }, fix }) => [
      ...[`\`${id}\``, String(weight), open, `\`${fix}\``],
    ]);
    expect(rows).toHaveLength(SECURITY_CHECKS.length);
    const block = { file: 'docs/security.md', name: 'security-checks', asIs: true } as const;
    const table = tableOf(['Check', 'Weight', 'What is open', 'Closed by'], rows);
    const { written, generated } = await compareBlock(block, table);
    expect(written).toBe(generated);
  });
});
