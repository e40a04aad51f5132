// Writes text, variables, durations and sizes of other programs as values of a manifest.
import type { Translation } from './key-table.ts';

/** Returns the text escaped for a manifest, which expands `$$` and `${`. */
export const literalText = (text: string): string => text.replaceAll(/\$(?=[${])/g, '$$$$');

/** Returns a regular expression that matches exactly this text. */
export const literalPattern = (text: string): string =>
  text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

export const isVariableName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/**
 * Returns the key `env.vars` with these variables. The caller has already escaped the values for a manifest.
 * A variable with an invalid name is lost.
 */
export const variableKeys = (variables: readonly (readonly [string, string])[]): Translation => {
  const vars = variables.filter(([name]) => isVariableName(name));
  const odd = variables.map(([name]) => name).filter((name) => !isVariableName(name));
  return {
    ...(vars.length > 0 && { keys: { 'env.vars': Object.fromEntries(vars) } }),
    ...(odd.length > 0 && {
      lost: `no variable can have the name ${odd.map((name) => `"${name}"`).join(', ')}`,
    }),
  };
};

/**
 * The longest duration that a manifest can have, ms. Longer durations become this one, which has the meaning
 * "forever".
 */
const FOREVER_MS = 1e15;

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** Returns a duration in ms as text for a manifest, in the largest unit that needs no fraction. */
export const durationText = (length: number): string => {
  if (length >= FOREVER_MS) return `${FOREVER_MS / 1000}s`;
  if (length === 0) return '0s';
  const [unit, size] = UNITS.find(([, each]) => length % each === 0) ?? ['ms', 1];
  return `${length / size}${unit}`;
};

const SIZES = ['K', 'M', 'G', 'T'];

/** Returns a size for a manifest: a text such as `512M`, or else the number of bytes. */
export const sizeText = (bytes: number): string | number => {
  const power = [4, 3, 2, 1].find((each) => bytes > 0 && bytes % 1024 ** each === 0);
  return power === undefined ? bytes : `${bytes / 1024 ** power}${SIZES[power - 1]}`;
};
