import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionScript, isShell } from '../../../src/cli/completion/script.ts';

/** A `sup` that tells on descriptor 3 which words it was asked about, and offers two. */
const STAND_IN = 'sup() { printf "%s|" "$@" >&3; printf "%s\\n" start status; }';

describe('the completion script', () => {
  it('makes bash ask with the words up to the cursor, and offers the answers', () => {
    const script = `exec 3>&1
      ${STAND_IN}
      ${completionScript('bash')}
      COMP_WORDS=(sup -p "" later); COMP_CWORD=2
      _sup
      printf '%s,' "\${COMPREPLY[@]}"`;
    const said = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(said).toBe('__complete|-p||start,status,');
  });

  it('knows bash and zsh only', () => {
    expect(['bash', 'zsh', 'fish', 'toString'].map(isShell)).toEqual([true, true, false, false]);
  });
});
