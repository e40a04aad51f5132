// `{slot}` and its like are filled in for blue/green only; anywhere else they would be taken literally, in silence.
import { quoted } from '../../check/quote.ts';
import { childOf } from '../../read/node.ts';
import { complain, spotBelow, type Context, type Spot } from '../shapes/decoder.ts';

const PLACEHOLDER = /\{(slot|candidate_slot|active_slot)\}/;

const refuseIn = (spot: Spot, context: Context): void => {
  if (spot.node.tag !== 'scalar') return;
  const [placeholder] = PLACEHOLDER.exec(spot.node.source) ?? [];
  if (placeholder === undefined) return;
  const message = `${quoted(placeholder)} is filled in for blue_green only, and there is none here`;
  complain(spot, context, { code: 'ERR0213', message });
};

/** `spot` is a deployment object without `blue_green`. */
export const refusePlaceholders = (spot: Spot, context: Context): void => {
  const check = spotBelow(spot, 'health_check');
  for (const [owner, key] of [
    [spot, 'pre_start'],
    [check, 'command'],
    [check, 'url'],
  ] as const)
    if (childOf(owner.node, key) !== undefined) refuseIn(spotBelow(owner, key), context);
};
