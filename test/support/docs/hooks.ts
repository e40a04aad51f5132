// The generated part of docs/hooks.md: which hooks fire, in order.
import { FURTHER, MATRIX, type MatrixRow } from '../hook-matrix.ts';
import { tableOf } from './block.ts';

const named = (names: readonly string[]): string =>
  names.map((name) => `\`${name}\``).join(', ') || 'nothing';

const isFormA = (name: string): boolean => !name.includes('.');

const rowOf = ({ scenario, fires }: MatrixRow): readonly string[] => [
  scenario,
  named(fires.filter((name) => !isFormA(name))),
  named(fires.filter(isFormA)),
];

export const hookTables = (): string =>
  [MATRIX, FURTHER]
    .map((rows) => tableOf(['What happens', 'Form B', 'Form A'], rows.map(rowOf)))
    .join('\n\nThe second table shows which hooks fire in further cases:\n\n');
