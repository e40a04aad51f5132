// A file of samples is named by the moment of its first.

const NAME = /^samples-(\d{13})\.jsonl$/;

/** `began`: milliseconds since 1970, in thirteen digits, so that names are ordered as their times are. */
export const segmentName = (began: number): string => `samples-${String(began).padStart(13, '0')}.jsonl`;

/** Anything else in that directory is left alone. */
export const isSegment = (name: string): boolean => NAME.test(name);

/** Milliseconds since 1970; 0 of a name that is none of ours. */
export const beganOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);
