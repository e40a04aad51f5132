// The line of a sparkline.
import { MOST_SAMPLES } from './page-model.ts';

/** Returns an SVG path for a box of this size. Unknown values are gaps. The newest value is at the right. */
export const sparklinePath = (
  values: readonly (number | null)[],
  { width, height, least = 0 }: { readonly width: number; readonly height: number; readonly least?: number },
): string => {
  const most = Math.max(least, ...values.map((value) => value ?? 0)) || 1;
  const step = width / (MOST_SAMPLES - 1);
  const first = width - (values.length - 1) * step;
  let isGap = true;
  return values
    .map((value, index) => {
      if (value === null) {
        isGap = true;
        return '';
      }
      const point = `${isGap ? 'M' : 'L'}${(first + index * step).toFixed(1)} ${(height - 1 - (value / most) * (height - 2)).toFixed(1)}`;
      isGap = false;
      return point;
    })
    .join('');
};
