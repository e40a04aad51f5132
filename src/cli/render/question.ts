// A question that is answered by one key. Without an answer there is no agreement.
import type { Context } from '../context.ts';
import { usageError } from '../grammar/usage-error.ts';

/** An Enter may follow, if both arrive at once. */
const YES = /^y(?:es)?[\r\n]*$/i;

/** Resolves to true if `y` was typed. */
const answered = ({ keyboard }: Context['world']): Promise<boolean> =>
  new Promise((settle) => {
    const deafen = keyboard.onTyped((key) => {
      deafen();
      settle(YES.test(key));
    });
  });

/** True if a user at a terminal can read the question and answer it. */
export const canAsk = ({ world, json }: Context): boolean =>
  !json && world.stderr.terminal && world.keyboard.isThere;

/**
 * Says what it is about and asks. Throws a usage error without a terminal; `yes` is the line to write then.
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
