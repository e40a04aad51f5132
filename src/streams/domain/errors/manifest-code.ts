// The codes of what can be wrong with a manifest.

/** Codes of a manifest's problems, which a command carries on when its manifest does not load. */
export const MANIFEST_CODES = [
  'ERR0207',
  'ERR0208',
  'ERR0209',
  'ERR0210',
  'ERR0211',
  'ERR0212',
  'ERR0213',
  'ERR0214',
  'ERR0215',
  'ERR0216',
  'ERR0217',
  'ERR0218',
  'ERR0219',
  'ERR0220',
  'ERR0221',
  'ERR0222',
  'ERR0223',
  'ERR0705',
  'ERR0721',
  'ERR0722',
  'ERR0741',
  'ERR0747',
] as const;
export type ManifestCode = (typeof MANIFEST_CODES)[number];

/**
 * What a problem of a load may carry: a file that cannot be read is told of before there is a manifest, and a bug of the
 * loader's is one of that manifest alone.
 */
export type ProblemCode = ManifestCode | 'ERR0203' | 'ERR0001';
