// Exports to a Procfile with a line for each service, and to `.env` with the variables that all services
// share.
import { writeDeclared } from '../apply-table.ts';
import type { ExportedService, ExportFormat } from '../export-format.ts';
import { cleanNames } from '../service-names.ts';
import { foremanLine } from './foreman-env.ts';
import { PROCFILE_ROWS } from './procfile-table.ts';
import type { Loss, Section } from '../key-table.ts';

/**
 * Returns the variables that have the same value in all services. Leaves out `PORT` and `PS`, which foreman
 * sets itself.
 */
const sharedVariables = (services: readonly ExportedService[]): Readonly<Record<string, string>> => {
  const [first, ...others] = services.map(({ spec }) => spec.env.vars);
  return Object.fromEntries(
    Object.entries(first ?? {}).filter(
      ([name, value]) => !['PORT', 'PS'].includes(name) && others.every((vars) => vars[name] === value),
    ),
  );
};

/** Returns names that foreman permits. If there are several projects, each name begins with its project. */
const namesOf = (services: readonly ExportedService[]): readonly string[] => {
  const several = new Set(services.map(({ spec }) => spec.project)).size > 1;
  return cleanNames(
    services.map(({ spec: { project, name } }) =>
      (several ? `${project}-${name}` : name).replaceAll(/[^\w-]/g, '-'),
    ),
  );
};

const linesOf = (name: string, { entries }: Section): readonly string[] =>
  entries.flatMap(({ path, value, comments }) => [
    ...comments.map((comment) => `# ${comment.replaceAll('\n', ' ')}`),
    ...(path.length === 0 || typeof value !== 'string' ? [] : [`${name}: ${value}`]),
  ]);

const renamed = ({ spec: { name }, place }: ExportedService, line: string): readonly Loss[] =>
  line === name
    ? []
    : [{ effect: 'changed', service: name, key: 'name', message: `its line is called ${line}`, place }];

export const procfileExport: ExportFormat = {
  name: 'procfile',
  title: 'a Procfile',
  rows: PROCFILE_ROWS,
  write: (services) => {
    const [names, shared] = [namesOf(services), sharedVariables(services)];
    const sections = services.map(({ spec, place, declared, replicas }) => {
      const context = { spec, shared, ...(replicas !== undefined && { replicas }) };
      return writeDeclared(declared, PROCFILE_ROWS, { service: spec.name, place, context });
    });
    const lines = sections.flatMap((section, index) => linesOf(names[index] ?? '', section));
    const variables = Object.entries(shared).map(([name, value]) => foremanLine(name, value));
    const env = variables.length === 0 ? [] : [{ name: '.env', text: `${variables.join('\n')}\n` }];
    return {
      files: [{ name: 'Procfile', text: `${lines.join('\n')}\n` }, ...env],
      losses: sections.flatMap(({ losses }, index) => {
        const service = services[index];
        return [...(service === undefined ? [] : renamed(service, names[index] ?? '')), ...losses];
      }),
    };
  },
};
