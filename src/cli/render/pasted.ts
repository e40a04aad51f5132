// Makes the commands in hints fit to be pasted, for the supervisor that the hint came from.
import { COMMAND_NAMES, commandFacts } from '../grammar/command-table.ts';

const OF_SYSTEM = COMMAND_NAMES.filter((name) => commandFacts(name).options.includes('sys'));
const OURS = new RegExp(`\\bsup (${OF_SYSTEM.join('|')})(?![\\w-])(?! --sys)`, 'g');

export interface Whose {
  /** True if the command that the hint is about was given `--sys`. */
  readonly sys: boolean;
}

/** Turns `sup logs shop/web -n 50` into `sup logs --sys shop/web -n 50` for the privileged supervisor. */
export const pasted = (hint: string, { sys }: Whose): string =>
  sys ? hint.replace(OURS, 'sup $1 --sys') : hint;
