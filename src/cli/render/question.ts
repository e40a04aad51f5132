// Asks the user a question that one key answers. Only `y` means yes.
import type { Context } from '../context.ts';
import { usageError } from '../grammar/usage-error.ts';

/** Matches the keys that mean yes. If the user presses `y` and Enter, both keys may arrive in one text. */
const YES = /^y(?:es)?[\r\n]*$/i;

/** Resolves to true if the user pressed `y`. */
const answered = ({ keyboard }: Context['world']): Promise<boolean> =>
  new Promise((settle) => {
    const deafen = keyboard.onTyped((key) => {
      deafen();
      settle(YES.test(key));
    });
  });

/** True if the question can be shown on a terminal and answered at its keyboard. */
export const canAsk = ({ world, json }: Context): boolean =>
  !json && world.stderr.terminal && world.keyboard.isThere;

/**
 * Prints the lines of `about` and asks for confirmation. Without a terminal, rejects with a usage error. Its
 * hint is the parameter `yes`: a command line that needs no confirmation.
 */
export const confirmed = async (
  context: Context,
  {
    about,
    question,
    yes,
  }: { readonly about: readonly string[]; readonly question: string; readonly yes: string },
): Promise<boolean> => {
  const { world, json } = context;
  if (!json) world.stderr.write(about.map((line) => `${line}\n`).join(''));
  if (!canAsk(context)) throw usageError('refusing without confirmation: not a terminal', yes);
  world.stderr.write(`${question} [y/N] `);
  const agreed = await answered(world);
  world.stderr.write(`${agreed ? 'yes' : 'no'}\n`);
  return agreed;
};
