// Medians and percentiles. A mean would be distorted by outliers.

/**
 * Returns the percentile: the value below which `share` (0–1) of the values lie, by nearest rank; `NaN`
 * without values.
 */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
