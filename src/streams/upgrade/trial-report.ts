// The report of a new program in its trial before an upgrade, and whether it may replace the running one.
import { fieldsIn } from '../wire/checked-fields.ts';
import { HANDOVER_FORMAT } from './handover.ts';

/** The report of a trial, printed as one line of JSON. */
export interface Trial {
  readonly trial: 1;
  readonly version: string;
  /** Version of the handover document that the program reads. */
  readonly handover: number;
  /** True if the program starts runs that the old program was about to start; older versions do not. */
  readonly begins: boolean;
  /** What the program cannot read or does not have, such as a manifest that does not load. */
  readonly problems: readonly string[];
}

/** Returns the report of the trial, if the text is one. */
export const trialIn = (text: string): Trial | undefined => {
  const value = fieldsIn(text);
  if (value?.['trial'] !== 1) return undefined;
  const { version, handover, problems } = value;
  if (typeof version !== 'string' || typeof handover !== 'number' || !Array.isArray(problems))
    return undefined;
  return { trial: 1, version, handover, begins: value['begins'] === true, problems: problems.map(String) };
};

/** Returns the first printed line with an error, otherwise the last non-empty one. */
const telling = (said: string): string | undefined => {
  const lines = said.split('\n').map((line) => line.trim());
  return lines.find((line) => /^\w*Error\b|^ERR\d{4}\b/.test(line)) ?? lines.findLast((line) => line !== '');
};

/** Returns the sentence that this version cannot load the registered manifest. */
export const invalidFor = (version: string, path: string): string =>
  `${path} is not valid for sup ${version}`;

interface Tried {
  readonly how: string;
  /** What the new program printed on standard error. */
  readonly said: string;
  /** Registered manifests that do not load in the running program either. */
  readonly broken: readonly string[];
}

/** Returns why the new program may not replace the running one. Manifests that fail in both are no reason. */
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
