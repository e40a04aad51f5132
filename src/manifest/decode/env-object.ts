// Decodes `env` (`docs/manifest.md`, "env") of the top level, a project or a service, and reads the env file.
// Variables may refer to one another in any order, so `merge-env-levels.ts` expands them afterwards.
import { resolve } from 'node:path';
import { type Mistake, printable } from '../check/problem-report.ts';
import { secrets } from './env-secrets.ts';
import { VARIABLE, variableName } from './scalars/key-rules.ts';
import { flag } from './scalars/number.ts';
import { text, verbatim } from './scalars/text.ts';
import { list, located, record } from './shapes/composite.ts';
import type { DecodeContext, Spot } from './shapes/decoder.ts';
import { optional } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import { below, childOf, type SourcePlace, sourceFile, type SourceFile } from '../read/node.ts';
import { type FileReading, readTrusted } from '../../os/files/trusted-file.ts';
import { parseEnvFile } from '../../streams/env/parse-env-file.ts';
import { OWN_VARIABLES } from '../../streams/env/service-environment.ts';

export const env = object({
  name: 'env',
  hint: 'variables stand under vars: env: { vars: { NAME: value } }',
  fields: {
    vars: optional(
      record(VARIABLE, located(verbatim)),
      'Variables in the manifest; they override variables of `file`.',
    ),
    file: optional(text, "Path to an env file, relative to the manifest's directory."),
    secrets: optional(
      secrets,
      'Variables with values in files, read at each start and never shown: `NAME: { file: path }`.',
    ),
    inherit_env: optional(
      flag,
      "A service with `user` inherits the supervisor's environment instead of starting with a clean one.",
      '`false`',
    ),
    clean: optional(
      flag,
      "The service starts from an empty environment: it gets no variables of the supervisor's environment.",
      '`false`',
    ),
    clear_session_vars: optional(
      flag,
      'Strips variables of a login session, such as `SSH_*` and `DISPLAY`.',
      '`true`',
    ),
    strip: optional(
      list(variableName),
      'More names of variables to remove: variables of the supervisor and of outer levels, but not variables that the same level sets.',
    ),
  },
});

const MOST_BYTES = 1024 * 1024;

const unreadable = (path: string, reading: Exclude<FileReading, { tag: 'read' }>): string => {
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

const lineIn = (file: SourceFile, line: number): SourcePlace => ({
  file,
  offset: file.lineStarts()[line - 1] ?? 0,
});

/** Returns the warning that the supervisor sets this variable of an env file itself. */
const ofOwn = (name: string): Mistake => ({
  code: 'ERR0223',
  severity: 'warning',
  message: `${name} has no effect: the supervisor sets this variable itself`,
});

type Variables = Pick<ReturnType<typeof parseEnvFile>, 'vars' | 'failed'>;

/** Reads the env file. `owner`: the place of the env object. */
export const readEnvFile = (name: string, owner: Spot, context: DecodeContext): Variables => {
  const place: SourcePlace = childOf(owner.node, 'file')?.value ?? owner.node;
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
  const report = (line: number, finding: Mistake): void =>
    context.report.add({ ...where, place: lineIn(file, line) }, finding);
  faults.forEach(({ line, message }) => report(line, { code: 'ERR0220', message }));
  for (const name of OWN_VARIABLES) {
    const line = lines.get(name);
    if (line !== undefined) report(line, ofOwn(name));
  }
  return { vars, failed };
};
