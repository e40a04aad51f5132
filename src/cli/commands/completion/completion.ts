// `sup completion`: prints the script with which a shell completes commands, options and names.
import { EXIT } from '../../../streams/wire/exit-status.ts';
import { usageError } from '../../grammar/usage.ts';
import { completionScript, isShell } from './script.ts';
import type { Handler } from '../../handler.ts';

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
