// `sup completion`: prints the completion script of a shell, which calls `sup __complete` for possible words.
// The scripts add no space after `=` and `:`, because the user continues to type the same word.
import type { Handler } from '../../context.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';

const BASH = `_sup() {
  mapfile -t COMPREPLY < <(sup __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ \${COMPREPLY[0]} != *[=:] ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _sup sup
`;

const ZSH = `#compdef sup
_sup() {
  local -a found
  found=("\${(@f)$(sup __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  local -a after
  [[ "\${found[1]}" != *[=:] ]] || after=(-S '')
  if [[ -n "\${found[1]}" ]]; then compadd "\${after[@]}" -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = "_sup" ]]; then _sup "$@"; else compdef _sup sup; fi
`;

const FISH = `function __sup_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    sup __complete $words[2..-1] "$current" 2>/dev/null
end
complete -c sup -n 'count (__sup_complete) >/dev/null' -f -a '(__sup_complete)'
`;

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
type Shell = keyof typeof SCRIPTS;

export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

export const isShell = (name: string): name is Shell => Object.hasOwn(SCRIPTS, name);

export const completionScript = (shell: Shell): string => SCRIPTS[shell];

export const completion: Handler = ({ operands: [named] }, { world }) => {
  const shell = named ?? world.environment['SHELL']?.split('/').at(-1) ?? 'bash';
  if (!isShell(shell))
    throw usageError(
      `no completion for "${shell}"`,
      'sup completion bash, sup completion zsh, or: sup completion fish',
    );
  world.stdout.write(completionScript(shell));
  return Promise.resolve(EXIT.done);
};
