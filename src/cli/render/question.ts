// A question that is answered by one key. Whoever cannot be asked has not agreed.
import type { Context } from '../context.ts';
import { usageError } from '../grammar/usage.ts';

/** With Enter behind it, where both come at once. */
const YES = /^y(?:es)?[\r\n]*$/i;

/** Whether `y` was typed. */
const answered = ({ keyboard }: Context['world']): Promise<boolean> =>
  new Promise((settle) => {
    const deafen = keyboard.onTyped((key) => {
      deafen();
      settle(YES.test(key));
    });
  });

/** Whether a person is at a terminal who reads the question and can answer it. */
export const canAsk = ({ world, json }: Context): boolean =>
  !json && world.stderr.terminal && world.keyboard.isThere;

/**
 * Says what it is about and asks. Throws a usage error where nobody can be asked, which is everywhere but on a terminal;
 * `yes` is how the line would have to be written.
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
