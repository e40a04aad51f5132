// The checks of `sup doctor` (`docs/commands.md`, "doctor"). To add a check, write a file `check-<name>.ts`
// with a function that reads facts, and a pure function that makes findings of these facts. Then add a line
// in `doctor.ts`.
import type { Context } from '../../context.ts';
import type { DoctorDocument } from '../../../streams/wire/documents/machine-documents.ts';

export type Level = DoctorDocument['verdict'];

export interface Finding {
  /** Short name of what was checked, for scripts; unique in a report. */
  readonly id: string;
  readonly level: Level;
  readonly says: string;
  /** What the user should do; absent if all is well. */
  readonly mend?: string;
}

/** A check of `sup doctor`. If `run` rejects, the report contains a problem with the check's name. */
export interface DoctorCheck {
  readonly name: string;
  /** Reads the facts from the machine and returns the findings for them. */
  readonly run: (context: Context) => Promise<readonly Finding[]>;
}

interface Halves<Facts> {
  /** Reads the facts that the check needs from the machine. */
  readonly look: (context: Context) => Facts | Promise<Facts>;
  /** Returns the findings for these facts. It is a pure function. */
  readonly judge: (facts: Facts) => readonly Finding[];
}

/** Combines `look` (reads the facts) and `judge` (returns the findings) into one check. */
export const checkOf = <Facts>(
  name: string,
  { look, judge }: Halves<Facts>,
): DoctorCheck & { readonly judge: (facts: Facts) => readonly Finding[] } => ({
  name,
  judge,
  run: async (context) => judge(await look(context)),
});

/** Returns a finding that says that all is well. */
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

/** Returns the most serious level of the findings. */
export const verdictOf = (findings: readonly Finding[]): Level => {
  const levels = findings.map(({ level }) => level);
  if (levels.includes('problem')) return 'problem';
  return levels.includes('warning') ? 'warning' : 'ok';
};
