// The error codes of manifests.

/** Codes of manifest problems; a command fails with such a code if its manifest does not load. */
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
 * Codes a problem of a load may carry. ERR0203 (unreadable file) comes before there is a manifest; ERR0001 is
 * a bug in the loader, for that manifest only.
 */
export type ProblemCode = ManifestCode | 'ERR0203' | 'ERR0001';
