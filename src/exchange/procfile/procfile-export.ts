// Writes a Procfile: a line for each service.
import { writeDeclared } from '../apply-table.ts';
import type { ExportFormat } from '../export-format.ts';
import { PROCFILE_ROWS } from './procfile-table.ts';

export const procfileExport: ExportFormat = {
  name: 'procfile',
  title: 'a Procfile',
  rows: PROCFILE_ROWS,
  write: (services) => {
    const sections = services.map(({ spec, place, declared }) => ({
      name: spec.name,
      ...writeDeclared(declared, PROCFILE_ROWS, { service: spec.name, place, context: { spec } }),
    }));
    const lines = sections.flatMap(({ name, entries }) =>
      entries.flatMap(({ path, value, comments }) => [
        ...comments.map((comment) => `# ${comment}`),
        ...(path.length === 0
          ? []
          : [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]),
      ]),
    );
    return {
      files: [{ name: 'Procfile', text: `${lines.join('\n')}\n` }],
      losses: sections.flatMap(({ losses }) => losses),
    };
  },
};
