// Parses an `env.file`: `KEY=value` with an optional `export` before it, `#` comments, single quotes, and
// double quotes that may span lines (`docs/manifest.md`, "env"). References are not expanded here.

interface EnvFault {
  /** The number of the faulty line. The first line is 1. */
  readonly line: number;
  readonly message: string;
}

interface EnvFile {
  readonly vars: Readonly<Record<string, string>>;
  /** For each variable, the number of the line that sets it. The first line is 1. */
  readonly lines: ReadonlyMap<string, number>;
  readonly faults: readonly EnvFault[];
  /** The variables without a readable value. */
  readonly failed: readonly string[];
}

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=[ \t]*/;
const IGNORED = /^\s*(#.*)?$/;
const REST = /^\s*(#.*)?$/;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

type Value =
  | { readonly tag: 'value'; readonly text: string; readonly lines: number }
  /** A value that cannot be read. `lines`: the number of lines that it takes. */
  | { readonly tag: 'fault'; readonly message: string; readonly lines: number };

const fault = (message: string, lines = 1): Value => ({ tag: 'fault', message, lines });

const bare = (rest: string): Value => ({
  tag: 'value',
  text: rest.replace(/(^|\s)#[^]*$/, '').trim(),
  lines: 1,
});

const singleQuoted = (rest: string): Value => {
  const end = rest.indexOf("'", 1);
  if (end === -1) return fault('the single quote is not closed on its line');
  return REST.test(rest.slice(end + 1))
    ? { tag: 'value', text: rest.slice(1, end), lines: 1 }
    : fault('text follows the closing quote');
};

/** Matches text within double quotes, up to the closing quote or the end of the line. */
const INNER = /^[^"\\]*(?:\\[^][^"\\]*)*/;

const unescaped = (inner: string): string =>
  inner.replace(/\\([^])/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped);

/** Parses a double-quoted value, which may span lines. `first`: its first line, after the quote. */
const doubleQuoted = (first: string, lines: readonly string[], index: number): Value => {
  const parts: string[] = [];
  for (let at = index; at < lines.length; at += 1) {
    const line = `${at === index ? first : (lines[at] ?? '')}\n`;
    const [inner = ''] = INNER.exec(line) ?? [];
    parts.push(inner);
    if (inner.length === line.length) continue;
    return REST.test(line.slice(inner.length + 1, -1))
      ? { tag: 'value', text: unescaped(parts.join('')), lines: parts.length }
      : fault('text follows the closing quote', parts.length);
  }
  return fault('the double quote is never closed', Number.MAX_SAFE_INTEGER);
};

const valueAt = (lines: readonly string[], index: number, from: number): Value => {
  const rest = (lines[index] ?? '').slice(from);
  if (rest.startsWith("'")) return singleQuoted(rest);
  return rest.startsWith('"') ? doubleQuoted(rest.slice(1), lines, index) : bare(rest);
};

type Assignment = Value & { readonly name: string };

const assignmentAt = (lines: readonly string[], index: number): Assignment => {
  const [head = '', name] = ASSIGNMENT.exec(lines[index] ?? '') ?? [];
  return name === undefined
    ? { ...fault('not of the form KEY=value'), name: '' }
    : { ...valueAt(lines, index, head.length), name };
};

type Sound = Extract<Assignment, { tag: 'value' }>;

/** Refuses a value that contains a NUL character, because Linux would end the value at that character. */
const withoutNul = (assignment: Assignment, lines: readonly string[], index: number): EnvFault | Sound => {
  if (assignment.tag === 'fault') return { line: index + 1, message: assignment.message };
  if (!assignment.text.includes('\0')) return assignment;
  const into = lines.slice(index, index + assignment.lines).findIndex((line) => line.includes('\0'));
  return { line: index + 1 + into, message: 'contains a NUL character' };
};

/** Parses the whole text and reports all faults. If a name is assigned twice, the last assignment is used. */
export const parseEnvFile = (text: string): EnvFile => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const vars = new Map<string, string>();
  const places = new Map<string, number>();
  const faults: EnvFault[] = [];
  const failed: string[] = [];
  let index = 0;
  while (index < lines.length) {
    if (IGNORED.test(lines[index] ?? '')) {
      index += 1;
      continue;
    }
    const assignment = assignmentAt(lines, index);
    const sound = withoutNul(assignment, lines, index);
    if ('line' in sound) {
      faults.push(sound);
      if (assignment.name !== '') failed.push(assignment.name);
    } else {
      vars.set(sound.name, sound.text);
      places.set(sound.name, index + 1);
    }
    index += assignment.lines;
  }
  return { vars: Object.fromEntries(vars), lines: places, faults, failed };
};
