// Decides which rows of a long list are drawn: the visible rows, and some above and below them.

interface Sight {
  /** How far the list is scrolled, px. */
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
}

interface VisibleRange {
  readonly first: number;
  /** The index after the last row that is drawn. */
  readonly end: number;
}

const BESIDE = 8;

export const visibleRange = (count: number, { top, height, rowHeight }: Sight): VisibleRange => {
  const first = Math.max(0, Math.floor(top / rowHeight) - BESIDE);
  return {
    first: Math.min(first, count),
    end: Math.min(count, Math.ceil((top + height) / rowHeight) + BESIDE),
  };
};
