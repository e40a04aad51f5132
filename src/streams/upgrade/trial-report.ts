// The report of a program in its trial before an upgrade, and the decision whether it may take over.
import { isFields } from '../wire/checked-fields.ts';
import { HANDOVER_FORMAT } from './handover.ts';

/** The report, which the program prints as one line of JSON. */
export interface Trial {
  readonly trial: 1;
  readonly version: string;
  /** The version of the handover document that the program reads. */
  readonly handover: number;
  /**
   * True if the program starts the runs that are handed over before their start; an older program ignores
   * them.
   */
  readonly begins: boolean;
  /** What the program cannot read or does not have, such as a manifest. */
  readonly problems: readonly string[];
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the report; `undefined` if the text is none. */
export const trialIn = (text: string): Trial | undefined => {
  const value = parsed(text);
  if (!isFields(value) || value['trial'] !== 1) return undefined;
  const { version, handover, problems } = value;
  if (typeof version !== 'string' || typeof handover !== 'number' || !Array.isArray(problems))
    return undefined;
  return { trial: 1, version, handover, begins: value['begins'] === true, problems: problems.map(String) };
};

/**
 * Returns the most useful line of the output: the first that names an error, otherwise the last that is not
 * empty.
 */
const telling = (said: string): string | undefined => {
  const lines = said.split('\n').map((line) => line.trim());
  return lines.find((line) => /^\w*Error\b|^ERR\d{4}\b/.test(line)) ?? lines.findLast((line) => line !== '');
};

/** Returns the sentence that a program cannot load this registered manifest. */
export const invalidFor = (version: string, path: string): string =>
  `${path} is not valid for sup ${version}`;

interface Tried {
  /** How the program ended. */
  readonly how: string;
  /** What the program printed on standard error. */
  readonly said: string;
  /** Paths of the manifests that the running program cannot load either. */
  readonly broken: readonly string[];
}

/**
 * Returns why the program may not take over; `undefined` if it may. A manifest that the running program
 * cannot load either is no reason.
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
