// Deployment keys without effect for a service with `cron`: its runs end by themselves, and no rollout
// replaces one. Version 2 warns, version 3 refuses (ERR0223).
import { complainAtKey, spotBelow, type Context, type Spot } from '../decode/shapes/decoder.ts';
import { childOf } from '../read/node.ts';

interface Deployment {
  readonly strategy: string;
  readonly grace_period: number;
  readonly blue_green?: unknown;
}

/** Keys without effect. A `grace_period` without a strategy that has a candidate is reported elsewhere. */
const idleKeys = ({ strategy, grace_period: grace, blue_green: slots }: Deployment): readonly string[] => {
  const rolls = strategy === 'rolling';
  return [
    ...(rolls ? ['strategy'] : []),
    ...(grace > 0 && (rolls || slots !== undefined) ? ['grace_period'] : []),
    ...(slots === undefined ? [] : ['blue_green']),
  ];
};

/** Reports them for a service, which is `spot`. */
export const reportWithCron = (deployment: Deployment, spot: Spot, context: Context): void => {
  if (childOf(spot.node, 'cron') === undefined) return;
  for (const key of idleKeys(deployment))
    complainAtKey(spotBelow(spotBelow(spot, 'deployment'), key), context, {
      code: 'ERR0223',
      message: 'has no effect with cron: no run is replaced by a rollout',
      ...(context.schema === 2 && ({ severity: 'warning' } as const)),
    });
};
