// The variable of a blue/green service's slot is set for each of its runs, whatever `env` says (ERR0223).
import { complainAtKey, spotBelow, type Context, type Spot } from '../decode/shapes/decoder.ts';

/** `spot` is a service, with its variables in force: the slot has one of them. */
export const warnOfSlot = (
  { blue_green: slots }: { readonly blue_green?: { readonly env_var: string } | undefined },
  spot: Spot,
  context: Context,
): void => {
  if (slots === undefined || !Object.hasOwn(context.scope.env.vars, slots.env_var)) return;
  complainAtKey(spotBelow(spotBelow(spot, 'deployment'), 'blue_green'), context, {
    code: 'ERR0223',
    severity: 'warning',
    message: `${slots.env_var} of env has no effect: it is set to the slot`,
  });
};
