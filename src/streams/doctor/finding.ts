// The findings of `sup doctor` (`docs/commands.md`, "doctor"): one for each check.

export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  /** The subject; unique in a report. */
  readonly id: string;
  readonly level: Level;
  readonly says: string;
  /** What to do about it; absent if all is well. */
  readonly mend?: string;
}

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
