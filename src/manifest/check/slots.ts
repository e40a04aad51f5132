// Settings of a blue/green service that are wrong for at least one slot (ERR0223).
import { fixedSlotOf, type DeclaredCheck } from '../../streams/rollout/fixed-slot.ts';
import { complainAtKey, spotBelow, type Context, type Spot } from '../decode/shapes/decoder.ts';

interface Rollouts {
  readonly health_check?: DeclaredCheck | undefined;
  readonly blue_green?:
    | {
        readonly slots: readonly string[];
        readonly env_var: string;
        readonly candidate_health_check?: DeclaredCheck | undefined;
      }
    | undefined;
}

/**
 * Warns if `env` sets the slot's variable, which is overwritten in each run. `spot` is a service, in the
 * scope of its variables.
 */
export const warnOfSlot = ({ blue_green: slots }: Rollouts, spot: Spot, context: Context): void => {
  if (slots === undefined || !Object.hasOwn(context.scope.env.vars, slots.env_var)) return;
  complainAtKey(spotBelow(spotBelow(spot, 'deployment'), 'blue_green'), context, {
    code: 'ERR0223',
    severity: 'warning',
    message: `${slots.env_var} of env has no effect: it is set to the slot`,
  });
};

/**
 * Refuses a `health_check` with the fixed address of one slot: a warning under version 2, an error under
 * version 3.
 */
export const refuseFixedSlot = (
  { health_check: check, blue_green: slots }: Rollouts,
  spot: Spot,
  context: Context,
): void => {
  if (check === undefined || slots === undefined) return;
  const { env_var: envVar, candidate_health_check: candidate } = slots;
  const slot = fixedSlotOf(check, candidate, { slots: slots.slots, envVar });
  if (slot === undefined) return;
  const at = spotBelow(spotBelow(spot, 'deployment'), 'health_check');
  complainAtKey(spotBelow(at, check.url === undefined ? 'command' : 'url'), context, {
    code: 'ERR0223',
    ...(context.schema === 2 && ({ severity: 'warning' } as const)),
    message: `asks slot ${slot} at its fixed address, also when the other slot has the traffic`,
    hint: 'write {slot} where the slots differ',
  });
};
