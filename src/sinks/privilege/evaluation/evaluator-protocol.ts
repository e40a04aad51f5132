// What the evaluator tells through its pipe: one object of JSON.

/** The descriptor of the pipe in the evaluator, the first after standard error. */
export const RESULT_DESCRIPTOR = 3;

/**
 * `value`: what the file exports. `thrown`: why it exports nothing, a text. `refused`: why the last
 * restrictions could not be applied, so that the file was not evaluated.
 */
export type ResultTag = 'value' | 'thrown' | 'refused';

interface EvaluatorReport {
  readonly tag: ResultTag;
  readonly value: unknown;
}

const isTag = (tag: unknown): tag is ResultTag => tag === 'value' || tag === 'thrown' || tag === 'refused';

/** A key that could become the prototype of an object that is made of the value. */
const withoutPrototypes = (key: string, value: unknown): unknown => {
  if (key === '__proto__') throw new Error('it exports an object with the key __proto__');
  return value;
};

/**
 * Returns the report in a text; `undefined` if it has none. The file may have written the text itself.
 * Throws for a value with the key `__proto__`.
 */
export const reportIn = (text: string): EvaluatorReport | undefined => {
  if (!text.startsWith('{"tag":') || !text.endsWith('}')) return undefined;
  const { tag, value } = JSON.parse(text, withoutPrototypes) as Readonly<Record<string, unknown>>;
  return isTag(tag) ? { tag, value } : undefined;
};
