// The report that the evaluator writes into its pipe: one JSON object.

/** The descriptor of the pipe in the evaluator, the first after standard error. */
export const RESULT_DESCRIPTOR = 3;

/**
 * What the value of a report is.
 * `value`: what the file exports.
 * `thrown`: a text that says why the file exports nothing.
 * `refused`: a text that says why the last restrictions could not be applied. The file was not evaluated.
 */
export type ResultTag = 'value' | 'thrown' | 'refused';

interface EvaluatorReport {
  readonly tag: ResultTag;
  readonly value: unknown;
}

const isTag = (tag: unknown): tag is ResultTag => tag === 'value' || tag === 'thrown' || tag === 'refused';

/** Throws for the key `__proto__`: its value could become the prototype of an object made from the report. */
const withoutPrototypes = (key: string, value: unknown): unknown => {
  if (key === '__proto__') throw new Error('it exports an object with the key __proto__');
  return value;
};

/**
 * Returns the report in the text, or `undefined` if the text is no report: the evaluated file can write any
 * text into the pipe. Throws for text that is no JSON, and for a value with the key `__proto__`.
 */
export const reportIn = (text: string): EvaluatorReport | undefined => {
  if (!text.startsWith('{"tag":') || !text.endsWith('}')) return undefined;
  const { tag, value } = JSON.parse(text, withoutPrototypes) as Readonly<Record<string, unknown>>;
  return isTag(tag) ? { tag, value } : undefined;
};
