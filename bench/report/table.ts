// Formats the figures as a table in Markdown, for the terminal and for docs/benchmarks.md.
import { isMet, type Goal, type Measured } from './figure.ts';

const HEAD = ['', 'Who', 'What', 'Figure', 'Goal', 'Met'] as const;

/** Rounds to three significant digits. */
export const number = (value: number): string => {
  if (!Number.isFinite(value)) return 'none';
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
};

const goalText = (goal: Goal | undefined): string => {
  if (goal === undefined) return '';
  return 'atMost' in goal ? `≤ ${number(goal.atMost)}` : `≥ ${number(goal.atLeast)}`;
};

const metText = (figure: Measured): string => {
  const met = isMet(figure);
  if (met === undefined) return '';
  return met ? 'yes' : '**no**';
};

const rowOf = (figure: Measured): readonly string[] => [
  figure.workload,
  figure.subject,
  figure.what,
  `${number(figure.value)} ${figure.unit}`.trim(),
  goalText(figure.goal),
  metText(figure),
];

export const table = (figures: readonly Measured[]): string => {
  const rows = [HEAD, HEAD.map(() => '---'), ...figures.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, cell === '---' ? '-' : ' ')).join(' | ')} |`;
  return rows.map(line).join('\n');
};
