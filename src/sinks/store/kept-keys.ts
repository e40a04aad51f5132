// Keys that a newer version added to a file are kept when this version rewrites it, so that the newer one
// finds them again.
import { textIfThere } from '../../os/files/read-text.ts';

export type Extra = Readonly<Record<string, unknown>>;

/** The unknown keys of a file; none if it is missing, or is no JSON object. */
export const keptKeys = (file: string, known: readonly string[]): Extra => {
  const text = textIfThere(file);
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).filter(([key]) => !known.includes(key)));
  } catch {
    return {};
  }
};
