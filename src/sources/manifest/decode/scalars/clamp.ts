// Numbers that are moved into their range instead of being refused.

export const clamp =
  (min: number, max: number) =>
  (value: number): number =>
    Math.min(max, Math.max(min, value));
