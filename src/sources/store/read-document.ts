// Reads one JSON document of the store. Defects are returned, not thrown.
import { textIfThere } from '../../os/files/read-text.ts';
import { isFields, type Fields } from '../../streams/wire/check.ts';

/** A file that cannot be used, entirely or in part. */
export interface Spoiled {
  readonly file: string;
  readonly detail: string;
  /** `part`: the rest of it is in use. `missing`: another file names it. */
  readonly extent: 'whole' | 'part' | 'missing';
}

export interface Read<T> {
  readonly value: T;
  readonly spoiled: readonly Spoiled[];
}

/** Returns the defect as a sentence without its full stop. */
export const spoiledText = ({ file, detail, extent }: Spoiled): string =>
  extent === 'missing' ? `${file} is missing: ${detail}` : `${file} cannot be used: ${detail}`;

interface Kind<T> {
  readonly file: string;
  readonly schema: string;
  /** The value for a missing or unusable file. */
  readonly absent: T;
  /**
   * Returns `undefined` if it is no document of this kind. `refused` names the entries that were left out.
   */
  readonly decode: (fields: Fields) => { readonly value: T; readonly refused: readonly string[] } | undefined;
}

export const readDocument = <T>(kind: Kind<T>): Read<T> => {
  const spoiled = (detail: string): Read<T> => ({
    value: kind.absent,
    spoiled: [{ file: kind.file, detail, extent: 'whole' }],
  });
  const text = textIfThere(kind.file);
  if (text === undefined) return { value: kind.absent, spoiled: [] };
  if (text instanceof Error) return spoiled(text.message);
  const fields = parse(text);
  if (fields === undefined) return spoiled('it is not a JSON object');
  if (fields['schema'] !== kind.schema) return spoiled(`its schema is not ${kind.schema}`);
  return decoded(kind, fields) ?? spoiled('its content does not have the form of its schema');
};

const decoded = <T>({ file, decode }: Kind<T>, fields: Fields): Read<T> | undefined => {
  const document = decode(fields);
  if (document === undefined) return undefined;
  const { value, refused } = document;
  const detail = `of its entries ${refused.join(', ')} cannot be read`;
  return { value, spoiled: refused.length === 0 ? [] : [{ file, detail, extent: 'part' }] };
};

const parse = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
