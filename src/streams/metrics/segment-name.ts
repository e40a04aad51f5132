// A file of samples is named by the moment of its first.

const NAME = /^samples-(\d{13})\.jsonl$/;

export const segmentName = (began: number): string => `samples-${String(began).padStart(13, '0')}.jsonl`;

export const isSegment = (name: string): boolean => NAME.test(name);

export const beganOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);
