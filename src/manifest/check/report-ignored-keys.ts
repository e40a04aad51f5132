// Reports keys that have no effect, so that none is ignored silently: those in `ignored-keys.ts`, and keys of
// `deployment` with `cron`. Each is a warning with version 2, an error with version 3.
// Rules: `docs/behaviour.md`, "Not carried out yet".
import { NOT_CARRIED_OUT, type NotCarriedOut } from './ignored-keys.ts';
import { reportAtKey, type DecodeContext, type Spot, spotBelow } from '../decode/shapes/decoder.ts';
import { childOf, type Node } from '../read/node.ts';
import { expand } from '../../streams/env/expand-references.ts';

/**
 * Returns the place of a key's value; `undefined` if the key is not set. `key` may have dots: `limits.nice`.
 */
export const written = (spot: Spot, key: string): Spot | undefined =>
  key
    .split('.')
    .reduce<Spot | undefined>(
      (at, step) =>
        at === undefined || childOf(at.node, step) === undefined ? undefined : spotBelow(at, step),
      spot,
    );

/** Returns the expanded text of a scalar in lower case. */
const textOf = (node: Node, { scope }: DecodeContext): string | undefined => {
  if (node.tag !== 'scalar') return undefined;
  const expansion = expand(node.source, scope.lookup);
  return expansion.tag === 'expanded' ? expansion.text.toLowerCase() : undefined;
};

/** True if the value requests something. `unless`: values that request nothing. */
export const asks = (node: Node, unless: readonly string[], context: DecodeContext): boolean => {
  const text = unless.length === 0 ? undefined : textOf(node, context);
  return text === undefined || !unless.includes(text);
};

/** True if the key has no effect, either because it never has one or because of other keys at `spot`. */
const isIdle = ({ beside }: NotCarriedOut, spot: Spot, context: DecodeContext): boolean => {
  const { keys = [], says: values = [], no = [] } = beside ?? {};
  const says = ([key, value]: readonly [key: string, value?: string]): boolean => {
    const at = written(spot, key);
    return at !== undefined && (value === undefined || textOf(at.node, context) === value);
  };
  return keys.every((key) => says([key])) && values.every(says) && !no.some(says);
};

/** Reports the keys without effect at `spot`: the top level or a service. */
export const reportNotCarriedOut = (place: NotCarriedOut['in'], spot: Spot, context: DecodeContext): void => {
  for (const row of NOT_CARRIED_OUT.filter((each) => each.in === place)) {
    const at = written(spot, row.key);
    if (at === undefined || !isIdle(row, spot, context)) continue;
    if (!asks(at.node, row.unless ?? [], context)) continue;
    reportAtKey(at, context, {
      code: row.code,
      message: row.told,
      ...(context.schema === 2 && ({ severity: 'warning' } as const)),
    });
  }
};

interface Deployment {
  readonly strategy: string;
  readonly gracePeriod: number;
  readonly blueGreen?: unknown;
}

/** Returns the keys of `deployment` that have no effect in a service with `cron`. */
const idleKeys = ({ strategy, gracePeriod: grace, blueGreen: slots }: Deployment): readonly string[] => {
  const rolls = strategy === 'rolling';
  return [
    ...(rolls ? ['strategy'] : []),
    ...(grace > 0 && (rolls || slots !== undefined) ? ['grace_period'] : []),
    ...(slots === undefined ? [] : ['blue_green']),
  ];
};

/** Reports keys of `deployment` in a service with `cron`, at `spot`. */
export const reportWithCron = (deployment: Deployment, spot: Spot, context: DecodeContext): void => {
  if (childOf(spot.node, 'cron') === undefined) return;
  for (const key of idleKeys(deployment))
    reportAtKey(spotBelow(spotBelow(spot, 'deployment'), key), context, {
      code: 'ERR0223',
      message: 'has no effect with cron: no run is replaced by a rollout',
      ...(context.schema === 2 && ({ severity: 'warning' } as const)),
    });
};
