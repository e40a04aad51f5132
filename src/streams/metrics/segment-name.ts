// A file of samples is named by the time of its first sample.

const NAME = /^samples-(\d{13})\.jsonl$/;

/** Returns the file name. `began` is milliseconds since 1970, in thirteen digits: names sort by time. */
export const segmentName = (began: number): string => `samples-${String(began).padStart(13, '0')}.jsonl`;

/** True for a file of samples; other files in the directory are left alone. */
export const isSegment = (name: string): boolean => NAME.test(name);

/** Returns milliseconds since 1970; 0 for a name that is not ours. */
export const beganOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);
