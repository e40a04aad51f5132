// Draws lanes back, column under column, so that a story that fails is two lanes to compare by eye.
import type { Column, Tick } from './story.ts';

/** What happens where the grammar has no column for it: inside a jump, between two frames, after the end. */
const strayText = ({ at, labels }: Tick): string => `<${labels.join('')}@${at}ms>`;

const frameText = (labels: readonly string[]): string =>
  labels.length > 1 ? `(${labels.join('')})` : (labels[0] ?? '-');

const cellText = (column: Column, ticks: readonly Tick[]): string => {
  const fits = ({ at }: Tick): boolean => at === column.at && column.jump === undefined;
  const labels = ticks.filter(fits).flatMap((tick) => tick.labels);
  const strays = ticks.filter((tick) => !fits(tick)).map(strayText);
  return [column.jump ?? frameText(labels), ...strays].join('');
};

const cellsOf = (ticks: readonly Tick[], columns: readonly Column[]): readonly string[] => {
  const end = columns.reduce((_, { at, span }) => at + span, 0);
  const within = columns.map((column) =>
    cellText(
      column,
      ticks.filter(({ at }) => at >= column.at && at < column.at + column.span),
    ),
  );
  const later = ticks.filter(({ at }) => at >= end).map(strayText);
  return [...within, later.join('')];
};

/** Each of the lanes in the grammar of marble files, with spaces that keep the columns of all of them aligned. */
export const drawLanes = (
  lanes: readonly (readonly Tick[])[],
  columns: readonly Column[],
): readonly string[] => {
  const drawn = lanes.map((ticks) => cellsOf(ticks, columns));
  const widthOf = (index: number): number => Math.max(...drawn.map((cells) => cells[index]?.length ?? 0));
  return drawn.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widthOf(index)))
      .join('')
      .trimEnd(),
  );
};
