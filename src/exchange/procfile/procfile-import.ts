// Imports a Procfile, which has a line `name: command` for each process. Reads `.env` beside it, as foreman
// does.
import { basename, join } from 'node:path';
import { failure } from '../../streams/views/errors/command-failure.ts';
import { readSettings } from '../apply-table.ts';
import type { DraftService, ImportDeps, ImportDraft, ImportFormat } from '../import-format.ts';
import { cleanNames } from '../service-names.ts';
import type { SourceText } from '../source-texts.ts';
import { type ForemanEnv, readForemanEnv } from './foreman-env.ts';
import { PROCFILE_ROWS } from './procfile-table.ts';
import { entryOf, type SourceLine, type Entry, type Loss } from '../key-table.ts';
import { literalText } from '../manifest-text.ts';

const LINE = /^([A-Za-z0-9_-]+):(.*)$/;

const FIRST_PORT = 5000;
const PORTS_PER_LINE = 100;

interface ProcfileLine {
  readonly name: string;
  readonly command: string;
  readonly place: SourceLine;
}

interface Read {
  readonly lines: readonly ProcfileLine[];
  readonly losses: readonly Loss[];
}

const ignored = (place: SourceLine): Loss => ({
  ...{ effect: 'changed', key: 'line', place },
  message: 'foreman ignores this line, and so does the import: it is not of the form name: command',
});

const readLines = ({ path, text }: SourceText): Read => {
  const lines: ProcfileLine[] = [];
  const losses: Loss[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [, name, rest] = LINE.exec(line) ?? [];
    const place = { file: path, line: index + 1 };
    const command = rest?.trim() ?? '';
    if (name === undefined) {
      if (!/^\s*(?:#|$)/.test(line)) losses.push(ignored(place));
    } else if (command === '')
      throw failure({ code: 'ERR0802', format: 'a Procfile', detail: 'the command is missing', ...place });
    else lines.push({ name, command, place });
  }
  return { lines, losses };
};

interface SharedEnv {
  readonly whole: readonly Entry[];
  readonly losses: readonly Loss[];
  /** The port of the first process. */
  readonly port: number;
  readonly variables: ForemanEnv['variables'];
}

const portOf = ({ PORT }: ForemanEnv['variables']): number =>
  PORT !== undefined && /^\d{1,5}$/.test(PORT) ? Number(PORT) : FIRST_PORT;

/** Reads the variables of `.env`, which all processes get. */
const sharedEnv = ({ directory }: SourceText, { readIfPresent, placed }: ImportDeps): SharedEnv => {
  const file = readIfPresent(join(directory, '.env'));
  if (file === undefined) return { whole: [], losses: [], port: FIRST_PORT, variables: {} };
  const { variables, isSame } = readForemanEnv(file.text);
  const port = portOf(variables);
  if (isSame)
    return {
      whole: [entryOf(['env', 'file'], literalText(placed('.env', directory)))],
      losses: [],
      port,
      variables,
    };
  const names = Object.keys(variables).filter((name) => /^[A-Za-z_]/.test(name));
  const vars = names.map((name) => [name, literalText(variables[name] ?? '')]);
  const message = 'sup reads this file in another way than foreman, so its values are in the manifest';
  const place = { file: file.path, line: 1 };
  return {
    whole: [entryOf(['env', 'vars'], Object.fromEntries(vars) as Record<string, string>)],
    losses: [{ effect: 'changed', key: '.env', message, place }],
    ...{ port, variables },
  };
};

/** Returns a loss if the file `.foreman` has options, because they are not imported. */
const optionLosses = ({ directory }: SourceText, { readIfPresent }: ImportDeps): readonly Loss[] => {
  const file = readIfPresent(join(directory, '.foreman'));
  if (file === undefined || file.text.trim() === '') return [];
  const message = 'the options of foreman are not read; write port, timeout and formation into the services';
  return [{ effect: 'lost', key: '.foreman', message, place: { file: file.path, line: 1 } }];
};

const together = ({ place }: ProcfileLine): Loss => ({
  ...{ effect: 'changed', key: 'end', place },
  message: 'foreman ends all processes when one of them ends; sup restarts one that fails',
});

const read = (files: readonly SourceText[], deps: ImportDeps): ImportDraft => {
  const all = files.map((file) => ({ ...readLines(file), env: sharedEnv(file, deps), file }));
  const names = cleanNames(all.flatMap(({ lines }) => lines.map(({ name }) => name)));
  const numbered = all.flatMap(({ lines, env }) =>
    lines.map((line, index) => ({
      line,
      context: { port: env.port + PORTS_PER_LINE * index, variables: env.variables },
    })),
  );
  const services = numbered.map(({ line: { name, command, place }, context }, index): DraftService => {
    const service = names[index] ?? name;
    const settings = [{ key: 'command', value: command, place }];
    const section = readSettings(settings, PROCFILE_ROWS, { service, place, context });
    return { name: service, place, section };
  });
  return {
    services,
    whole: all[0]?.env.whole ?? [],
    losses: [
      ...all.flatMap(({ losses, env, file }) => [...losses, ...env.losses, ...optionLosses(file, deps)]),
      ...numbered.slice(0, 1).map(({ line }) => together(line)),
    ],
  };
};

export const procfile: ImportFormat = {
  name: 'procfile',
  title: 'a Procfile',
  rows: PROCFILE_ROWS,
  recognises: ({ path }) => /^Procfile(?:\.\w+)?$/i.test(basename(path)),
  read,
};
