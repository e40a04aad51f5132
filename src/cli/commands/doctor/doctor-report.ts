// Runs all checks of `sup doctor` in order. A check that throws is reported as a problem, and the next checks
// still run.
import { type Finding, type Level, problem, verdictOf, type DoctorCheck } from './finding.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import type { Context } from '../../context.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import type { DoctorDocument } from '../../../streams/wire/documents/machine-documents.ts';

export const examine = async (
  checks: readonly DoctorCheck[],
  context: Context,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const { name, run } of checks) {
    try {
      findings.push(...(await run(context)));
    } catch (error) {
      findings.push(problem(name, `check failed: ${messageOf(error)}`, 'fix that first'));
    }
  }
  return findings;
};

export const doctorDocument = (findings: readonly Finding[]): DoctorDocument => ({
  schema: 'sup.doctor/1',
  verdict: verdictOf(findings),
  checks: findings.map(({ id, level, says, mend }) => ({ id, level, says, mend: mend ?? null })),
});

const WORDS = {
  ok: ['ok', 'green'],
  warning: ['warning', 'yellow'],
  problem: ['problem', 'red'],
} as const satisfies Readonly<Record<Level, readonly [string, Parameters<Paint>[0]]>>;

const WIDEST = 'warning'.length;

const VERDICTS: Readonly<Record<Level, string>> = {
  ok: 'all is well',
  warning: 'it works; the warnings say what could be better',
  problem: 'something is wrong; the problems say what',
};

const linesOf = ({ id, level, says, mend }: Finding, paint: Paint): readonly string[] => {
  const [word, ink] = WORDS[level];
  const first = `${paint(ink, word.padEnd(WIDEST))}  ${id}: ${shownLine(says)}`;
  return mend === undefined ? [first] : [first, `${' '.repeat(WIDEST)}    ${shownLine(mend)}`];
};

export const doctorLines = (findings: readonly Finding[], paint: Paint): readonly string[] => [
  ...findings.flatMap((finding) => linesOf(finding, paint)),
  VERDICTS[verdictOf(findings)],
];
