// What `sup doctor` says (`docs/commands.md`, "doctor"): one finding for each thing that was looked at.

export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  /** Of what; unique in a report. */
  readonly id: string;
  readonly level: Level;
  readonly says: string;
  /** What to do about it; there is none where all is well. */
  readonly mend?: string;
}

/** Nothing to mend. */
export const fine = (id: string, says: string): Finding => ({ id, level: 'ok', says });

/** It works, and could work better. */
export const warning = (id: string, says: string, mend: string): Finding => ({
  id,
  level: 'warning',
  says,
  mend,
});

/** Something does not work. */
export const problem = (id: string, says: string, mend: string): Finding => ({
  id,
  level: 'problem',
  says,
  mend,
});

/** The worst of them. */
export const verdictOf = (findings: readonly Finding[]): Level => {
  const levels = findings.map(({ level }) => level);
  if (levels.includes('problem')) return 'problem';
  return levels.includes('warning') ? 'warning' : 'ok';
};
