// One measured number and its goal.

export type Goal = { readonly atMost: number } | { readonly atLeast: number };

export interface Figure {
  /** What was measured: `sup`, a peer, or a reference such as a bare spawn loop. */
  readonly subject: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: Goal;
}

export interface Measured extends Figure {
  readonly workload: string;
}

/** True if the figure meets its goal; `undefined` if it has none. */
export const isMet = ({ value, goal }: Figure): boolean | undefined => {
  if (goal === undefined) return undefined;
  if (!Number.isFinite(value)) return false;
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
};

/** Returns a figure with the value divided by that of the reference. */
export const ratio = (figure: Omit<Figure, 'value' | 'unit'>, value: number, reference: number): Figure => ({
  ...figure,
  value: value / reference,
  unit: '×',
});
