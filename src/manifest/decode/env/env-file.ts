// Reads an `env.file`. A mistake is reported with its line (ERR0220), an untrusted file as such (ERR0219),
// and a variable without effect as a warning (ERR0223).
import { resolve } from 'node:path';
import { parseEnvFile } from '../../../streams/env/parse-file.ts';
import { OWN_VARIABLES } from '../../../streams/env/service-environment.ts';
import { childOf, sourceFile, type Place, type SourceFile } from '../../read/node.ts';
import { printable } from '../../check/quote.ts';
import { readTrusted, type Reading } from '../../read/read-file.ts';
import { below } from '../../check/dotted-path.ts';
import type { Finding } from '../../check/report.ts';
import { type Context, type Spot } from '../shapes/decoder.ts';

const MOST_BYTES = 1024 * 1024;

const unreadable = (path: string, reading: Exclude<Reading, { tag: 'read' }>): string => {
  const name = `"${printable(path)}"`;
  switch (reading.tag) {
    case 'untrusted':
      return `${name} is not trusted: ${reading.detail}`;
    case 'unreadable':
      return `${name} cannot be read: ${reading.detail}`;
    case 'too-large':
      return `${name} has ${reading.bytes} bytes; an env file may have ${MOST_BYTES}`;
    case 'garbled':
      return `${name} is not UTF-8 text`;
  }
};

const lineIn = (file: SourceFile, line: number): Place => ({
  file,
  offset: file.lineStarts()[line - 1] ?? 0,
});

/** The warning for a variable that the supervisor sets itself, as in `vars`. */
const ofOwn = (name: string): Finding => ({
  code: 'ERR0223',
  severity: 'warning',
  message: `${name} has no effect: the supervisor sets this variable itself`,
});

type Variables = Pick<ReturnType<typeof parseEnvFile>, 'vars' | 'failed'>;

/** The variables of the file that an env object names; `owner` is the env object. */
export const readEnvFile = (name: string, owner: Spot, context: Context): Variables => {
  const place: Place = childOf(owner.node, 'file')?.value ?? owner.node;
  const where = { path: below(owner.path, 'file'), place };
  const path = resolve(context.directory, name);
  const reading = readTrusted(path, context.reader, MOST_BYTES);
  if (reading.tag !== 'read') {
    const code = reading.tag === 'untrusted' ? 'ERR0219' : 'ERR0220';
    context.report.add(where, { code, message: unreadable(path, reading) });
    return { vars: {}, failed: [] };
  }
  const file = sourceFile(path, reading.text, place);
  const { vars, lines, faults, failed } = parseEnvFile(reading.text);
  const report = (line: number, finding: Finding): void =>
    context.report.add({ ...where, place: lineIn(file, line) }, finding);
  faults.forEach(({ line, message }) => report(line, { code: 'ERR0220', message }));
  for (const name of OWN_VARIABLES) {
    const line = lines.get(name);
    if (line !== undefined) report(line, ofOwn(name));
  }
  return { vars, failed };
};
