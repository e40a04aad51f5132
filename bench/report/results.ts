// Writes bench/results.json: the figures of one run, with the machine and the versions that were measured.
import { writeFile } from 'node:fs/promises';
import type { Machine } from '../measure/machine.ts';
import type { Measured } from './figure.ts';
import { isMet } from './figure.ts';

export interface Run {
  readonly at: Date;
  readonly seconds: number;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  readonly quick: boolean;
  readonly figures: readonly Measured[];
  /** Workloads that failed, with the reason. */
  readonly failures: Readonly<Record<string, string>>;
}

export const writeResults = async (file: string, { at, figures, ...rest }: Run): Promise<void> => {
  const document = {
    schema: 'sup.bench/1',
    at: at.toISOString(),
    ...rest,
    figures: figures.map((figure) => ({ ...figure, met: isMet(figure) ?? null })),
  };
  await writeFile(file, `${JSON.stringify(document, undefined, 2)}\n`);
};
