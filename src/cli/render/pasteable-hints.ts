// Adapts commands in hints for pasting: adds `--sys` for a privileged supervisor.
import { COMMAND_NAMES, commandFacts } from '../grammar/command-table.ts';

const OF_SYSTEM = COMMAND_NAMES.filter((name) => commandFacts(name).options.includes('sys'));
const OURS = new RegExp(`\\bsup (${OF_SYSTEM.join('|')})(?![\\w-])(?! --sys)`, 'g');

export interface Whose {
  /**
   * True if the hint is about the privileged supervisor, because the command that prints the hint has
   * `--sys`.
   */
  readonly sys: boolean;
}

/** With `sys`, changes `sup logs shop/web -n 50` to `sup logs --sys shop/web -n 50`. */
export const pasted = (hint: string, { sys }: Whose): string =>
  sys ? hint.replace(OURS, 'sup $1 --sys') : hint;
