// What a newer version has written beside the keys that this one knows is kept where a file is written anew, so that the
// newer one finds it again after an older one was at work.
import { textIfThere } from '../../os/files/read-text.ts';

export type Extra = Readonly<Record<string, unknown>>;

/** Nothing of a file that is not there, or is no JSON object. */
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
