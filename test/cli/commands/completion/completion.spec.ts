import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionScript, isShell } from '../../../../src/cli/commands/completion/completion.ts';

/** A `sup` that tells on descriptor 3 which words it was asked about, and offers two. */
const STAND_IN = 'sup() { printf "%s|" "$@" >&3; printf "%s\\n" start status; }';

describe('the completion script', () => {
  it('the bash script asks with the words up to the cursor and offers the answers', () => {
    const script = `exec 3>&1
      ${STAND_IN}
      ${completionScript('bash')}
      COMP_WORDS=(sup -p "" later); COMP_CWORD=2
      _sup
      printf '%s,' "\${COMPREPLY[@]}"`;
    const said = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(said).toBe('__complete|-p||start,status,');
  });

  it('the bash script offers patterns unexpanded, whatever files exist', () => {
    const script = `sup() { printf '%s\\n' 'src/*' 'two words'; }
      ${completionScript('bash')}
      COMP_WORDS=(sup stop src/); COMP_CWORD=2
      _sup
      printf '%s,' "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe('src/*,two words,');
  });

  it.each(['bash', 'zsh', 'fish'] as const)(
    'the script of %s asks sup with the word at the cursor',
    (shell) => {
      const script = completionScript(shell);
      expect(script).toMatch(/sup __complete .*(COMP_CWORD|CURRENT|\$current)/);
      expect(script).not.toContain('undefined');
      const count = (word: RegExp): number => script.match(word)?.length ?? 0;
      // Every block that is opened is closed.
      expect(count(/[({]/g)).toBe(count(/[)}]/g));
      expect(count(/^ *if /gm)).toBe(count(/\bfi\b/g));
      expect(count(/^function /gm)).toBe(count(/^end$/gm));
    },
  );

  it('there are scripts for bash, zsh and fish only', () => {
    expect(['bash', 'zsh', 'fish', 'csh', 'toString'].map(isShell)).toEqual([true, true, true, false, false]);
  });
});
