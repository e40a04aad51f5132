// A strict reader of OpenMetrics text: whatever the standard forbids of what is written here is an error.

export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const META = new RegExp(`^# (TYPE|HELP|UNIT) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|NaN|[+-]Inf)$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const TYPES = ['gauge', 'counter', 'unknown', 'info', 'stateset', 'histogram', 'summary'];

const labelsIn = (text: string): Readonly<Record<string, string>> => {
  const labels: Record<string, string> = {};
  for (LABEL.lastIndex = 0; LABEL.lastIndex < text.length;) {
    const found = LABEL.exec(text);
    if (found === null) throw new Error(`not labels: ${text}`);
    const [, name = '', value = ''] = found;
    if (name in labels) throw new Error(`a label twice: ${text}`);
    labels[name] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
  }
  return labels;
};

/** Throws what is wrong. */
// eslint-disable-next-line complexity -- one rule of the standard after the other, in one walk over the lines
export const readOpenMetrics = (text: string): readonly Series[] => {
  if (!text.endsWith('\n# EOF\n')) throw new Error('it does not end with # EOF');
  const series: Series[] = [];
  const types = new Map<string, string>();
  const closed = new Set<string>();
  let family = '';
  for (const line of text.split('\n').slice(0, -2)) {
    const meta = META.exec(line);
    if (meta !== null) {
      const [, kind = '', name = '', rest = ''] = meta;
      if (name !== family) closed.add(family);
      if (closed.has(name)) throw new Error(`the family comes apart: ${line}`);
      family = name;
      if (kind === 'TYPE' && (types.has(name) || !TYPES.includes(rest)))
        throw new Error(`not a type: ${line}`);
      if (kind === 'TYPE') types.set(name, rest);
      continue;
    }
    const [found, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (found === undefined) throw new Error(`not a line: ${line}`);
    const expected = types.get(family) === 'counter' ? `${family}_total` : family;
    if (name !== expected) throw new Error(`${name} does not belong to ${family}`);
    if (types.get(family) === 'counter' && Number(value) < 0) throw new Error(`a negative counter: ${line}`);
    const one = { name, labels: labelsIn(labels), value: Number(value) };
    if (
      series.some(
        (other) => JSON.stringify([other.name, other.labels]) === JSON.stringify([name, one.labels]),
      )
    )
      throw new Error(`twice: ${line}`);
    series.push(one);
  }
  return series;
};
