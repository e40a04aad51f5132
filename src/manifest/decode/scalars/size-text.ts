// Parses a byte size (`docs/manifest.md`, "Rules that hold everywhere").

const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

export const PATTERN = '^(\\d+|\\d+(\\.\\d+)?[KMGTkmgt]([iI]?[Bb])?)$';

const FORM = /^(\d+(?:\.\d+)?)([KMGT])?(?:I?B)?$/;

/** The size in bytes, `Infinity` if it is too large to be exact; `undefined` if the text is not a size. */
export const parseSize = (text: string): number | undefined => {
  if (!new RegExp(PATTERN).test(text)) return undefined;
  const [, digits, unit] = FORM.exec(text.toUpperCase()) ?? [];
  if (digits === undefined) return undefined;
  const bytes = Math.floor(Number(digits) * (unit === undefined ? 1 : (UNITS[unit] ?? Number.NaN)));
  return Number.isSafeInteger(bytes) ? bytes : Number.POSITIVE_INFINITY;
};
