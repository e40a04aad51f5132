// The message at the second of two equal values: where the first one is.
import type { Spot } from '../decode/shapes/decoder.ts';
import { positionOf } from '../read/position.ts';
import { shown } from './quote.ts';

const placeOf = ({ node: { file, offset } }: Spot): string => {
  const { line, column } = positionOf({ file, offset });
  return [file.path, line, column].join(':');
};

export const standsAlready = (known: Spot, at: Spot): string =>
  `${shown(at.node)} stands at ${known.path} already, ${placeOf(known)}`;
