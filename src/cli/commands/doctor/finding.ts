// The checks of `sup doctor` and their findings (`docs/commands.md`, "doctor"). To add a check, write a file
// `check-<name>.ts` with a function that looks and a pure one that judges, and a line in `doctor.ts`.
import type { Context } from '../../context.ts';

export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  /** The subject; unique in a report. */
  readonly id: string;
  readonly level: Level;
  readonly says: string;
  /** What to do about it; absent if all is well. */
  readonly mend?: string;
}

/** One check. If `run` rejects, that becomes a problem of its name, and the others go on. */
export interface DoctorCheck {
  readonly name: string;
  /** Looks and judges. */
  readonly run: (context: Context) => Promise<readonly Finding[]>;
}

interface Halves<Facts> {
  /** Reads the facts from the machine. */
  readonly look: (context: Context) => Facts | Promise<Facts>;
  /** Judges the facts. Pure. */
  readonly judge: (facts: Facts) => readonly Finding[];
}

/** Returns the check that looks and then judges. */
export const checkOf = <Facts>(
  name: string,
  { look, judge }: Halves<Facts>,
): DoctorCheck & { readonly judge: (facts: Facts) => readonly Finding[] } => ({
  name,
  judge,
  run: async (context) => judge(await look(context)),
});

/** Returns a finding without a problem. */
export const fine = (id: string, says: string): Finding => ({ id, level: 'ok', says });

/** Returns a finding about something that works but could work better. */
export const warning = (id: string, says: string, mend: string): Finding => ({
  id,
  level: 'warning',
  says,
  mend,
});

/** Returns a finding about something that does not work. */
export const problem = (id: string, says: string, mend: string): Finding => ({
  id,
  level: 'problem',
  says,
  mend,
});

/** Returns the worst level of the findings. */
export const verdictOf = (findings: readonly Finding[]): Level => {
  const levels = findings.map(({ level }) => level);
  if (levels.includes('problem')) return 'problem';
  return levels.includes('warning') ? 'warning' : 'ok';
};
