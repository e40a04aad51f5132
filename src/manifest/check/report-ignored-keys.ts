// Reports keys that have no effect, so that none is ignored silently: those of `ignored-keys.ts`, and those
// of a deployment with `cron`. Version 2 warns, version 3 refuses.
import { NOT_CARRIED_OUT, type NotCarriedOut } from './ignored-keys.ts';
import { reportAtKey, type DecodeContext, type Spot, spotBelow } from '../decode/shapes/decoder.ts';
import { childOf, type Node } from '../read/node.ts';
import { expand } from '../../streams/env/expand.ts';

/** The spot of a dotted key; `undefined` if it is not written. */
export const written = (spot: Spot, key: string): Spot | undefined =>
  key
    .split('.')
    .reduce<Spot | undefined>(
      (at, step) =>
        at === undefined || childOf(at.node, step) === undefined ? undefined : spotBelow(at, step),
      spot,
    );

/** The text of a scalar with variables expanded, in lower case. */
const textOf = (node: Node, { scope }: DecodeContext): string | undefined => {
  if (node.tag !== 'scalar') return undefined;
  const expansion = expand(node.source, scope.lookup);
  return expansion.tag === 'expanded' ? expansion.text.toLowerCase() : undefined;
};

/** True if a value requests something; `unless` lists the values that do not. */
export const asks = (node: Node, unless: readonly string[], context: DecodeContext): boolean => {
  const text = unless.length === 0 ? undefined : textOf(node, context);
  return text === undefined || !unless.includes(text);
};

/** True if the other keys at `spot` leave the key without effect. */
const isIdle = ({ beside }: NotCarriedOut, spot: Spot, context: DecodeContext): boolean => {
  const { keys = [], says: values = [], no = [] } = beside ?? {};
  const says = ([key, value]: readonly [key: string, value?: string]): boolean => {
    const at = written(spot, key);
    return at !== undefined && (value === undefined || textOf(at.node, context) === value);
  };
  return keys.every((key) => says([key])) && values.every(says) && !no.some(says);
};

/** Reports the keys at `spot`, the root or a service, that have no effect. */
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

/** Keys without effect. A `grace_period` without a strategy that has a candidate is reported elsewhere. */
const idleKeys = ({ strategy, gracePeriod: grace, blueGreen: slots }: Deployment): readonly string[] => {
  const rolls = strategy === 'rolling';
  return [
    ...(rolls ? ['strategy'] : []),
    ...(grace > 0 && (rolls || slots !== undefined) ? ['grace_period'] : []),
    ...(slots === undefined ? [] : ['blue_green']),
  ];
};

/** Reports them for a service, which is `spot`. */
export const reportWithCron = (deployment: Deployment, spot: Spot, context: DecodeContext): void => {
  if (childOf(spot.node, 'cron') === undefined) return;
  for (const key of idleKeys(deployment))
    reportAtKey(spotBelow(spotBelow(spot, 'deployment'), key), context, {
      code: 'ERR0223',
      message: 'has no effect with cron: no run is replaced by a rollout',
      ...(context.schema === 2 && ({ severity: 'warning' } as const)),
    });
};
