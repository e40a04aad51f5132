// The report that a new program makes in its trial before an upgrade, and the decision whether it may replace
// the running program.
import { fieldsIn } from '../wire/params/checked-fields.ts';
import { HANDOVER_FORMAT } from './handover.ts';

/** The report of a trial. The new program prints it as one line of JSON. */
export interface Trial {
  readonly trial: 1;
  readonly version: string;
  /** The version of the handover document that the new program reads. */
  readonly handover: number;
  /**
   * True if the new program performs the starts that the old program has not begun. Older versions of `sup`
   * cannot do this.
   */
  readonly begins: boolean;
  /** The reasons against an upgrade that the new program found, such as a manifest that does not load. */
  readonly problems: readonly string[];
}

/** Returns the report in the text; `undefined` if the text is no report. */
export const trialIn = (text: string): Trial | undefined => {
  const value = fieldsIn(text);
  if (value?.['trial'] !== 1) return undefined;
  const { version, handover, problems } = value;
  if (typeof version !== 'string' || typeof handover !== 'number' || !Array.isArray(problems))
    return undefined;
  return { trial: 1, version, handover, begins: value['begins'] === true, problems: problems.map(String) };
};

/**
 * Returns the first line that looks like an error. If there is no such line, returns the last line with text.
 */
const telling = (said: string): string | undefined => {
  const lines = said.split('\n').map((line) => line.trim());
  return lines.find((line) => /^\w*Error\b|^ERR\d{4}\b/.test(line)) ?? lines.findLast((line) => line !== '');
};

/** Returns the sentence which says that this version cannot load the registered manifest. */
export const invalidFor = (version: string, path: string): string =>
  `${path} is not valid for sup ${version}`;

interface Tried {
  readonly how: string;
  /** The text that the new program printed on standard error. */
  readonly said: string;
  /** The registered manifests that do not load in the running program either. */
  readonly broken: readonly string[];
}

/**
 * Returns why the new program may not replace the running one; `undefined` if it may. A manifest that neither
 * of the two programs can load does not prevent the upgrade.
 */
export const trialRefusal = (trial: Trial | undefined, { how, said, broken }: Tried): string | undefined => {
  if (trial === undefined) {
    const last = telling(said);
    return `the new program ${how} when it was tried${last === undefined ? '' : `: ${last}`}`;
  }
  const { version, handover, problems } = trial;
  if (handover !== HANDOVER_FORMAT)
    return `sup ${version} reads another form of what is handed over (${handover}, not ${HANDOVER_FORMAT})`;
  const known = new Set(broken.map((path) => invalidFor(version, path)));
  const reasons = problems.filter((problem) => !known.has(problem));
  return reasons.length === 0 ? undefined : `sup ${version} cannot take over: ${reasons.join('; ')}`;
};
