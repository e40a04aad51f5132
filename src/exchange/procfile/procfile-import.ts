// Reads a Procfile: a line `name: command` for each process.
import { basename } from 'node:path';
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { DraftService, ImportFormat } from '../import-format.ts';
import { readSettings } from '../apply-table.ts';
import { cleanNames } from '../service-names.ts';
import type { SourceText } from '../source-texts.ts';
import { PROCFILE_ROWS } from './procfile-table.ts';

const LINE = /^([A-Za-z0-9_-]+):(.*)$/;

interface ProcfileLine {
  readonly name: string;
  readonly command: string;
  readonly file: string;
  readonly line: number;
}

const linesOf = ({ path, text }: SourceText): readonly ProcfileLine[] =>
  text.split('\n').flatMap((line, index) => {
    const [, name, command] = LINE.exec(line) ?? [];
    if (name !== undefined && command?.trim() === '')
      throw failure({
        code: 'ERR0802',
        file: path,
        format: 'a Procfile',
        line: index + 1,
        detail: 'the command is missing',
      });
    return name === undefined || command === undefined
      ? []
      : [{ name, command: command.trim(), file: path, line: index + 1 }];
  });

export const procfile: ImportFormat = {
  name: 'procfile',
  title: 'a Procfile',
  rows: PROCFILE_ROWS,
  recognises: ({ path }) => /^Procfile(?:\.\w+)?$/i.test(basename(path)),
  read: (files) => {
    const lines = files.flatMap(linesOf);
    const names = cleanNames(lines.map(({ name }) => name));
    const services = lines.map(({ command, file, line }, index): DraftService => {
      const [service = '', place] = [names[index], { file, line }];
      const settings = [{ key: 'command', value: command, place }];
      return {
        name: service,
        place,
        section: readSettings(settings, PROCFILE_ROWS, { service, place, context: undefined }),
      };
    });
    return { services, losses: [] };
  },
};
