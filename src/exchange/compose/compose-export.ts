// Exports to a Compose file: one Compose service for each service, and a list of secrets with their files.
import { writeDeclared } from '../apply-table.ts';
import type { ExportedService, ExportFormat } from '../export-format.ts';
import { cleanNames } from '../service-names.ts';
import { yamlText, type YamlPart } from '../yaml-text.ts';
import { runnableCheck } from './compose-check-rows.ts';
import { COMPOSE_ROWS } from './compose-table.ts';
import { type ComposeTarget, withDollars } from './compose-target.ts';
import { entryOf, type Plain } from '../key-table.ts';

/** Returns the secrets of all services for the top level of the file: the file of each secret by its name. */
const secretsOf = (services: readonly ExportedService[]): Readonly<Record<string, Plain>> =>
  Object.fromEntries(
    services.flatMap(({ spec }) =>
      Object.entries(spec.env.secrets ?? {}).map(([name, file]) => [name, { file: withDollars(file) }]),
    ),
  );

const targetsOf = (services: readonly ExportedService[]): readonly ComposeTarget[] => {
  const names = cleanNames(services.map(({ spec }) => spec.name));
  const nameById = new Map(services.map(({ spec }, at) => [spec.id, names[at] ?? spec.name]));
  const checked = new Set(services.filter(runnableCheck).map(({ spec }) => spec.id));
  return services.map(({ spec, replicas, image, profiles }) => ({
    spec,
    nameOf: (id) => nameById.get(id) ?? id,
    isChecked: (id) => checked.has(id),
    ...(replicas !== undefined && { replicas }),
    ...(image !== undefined && { image }),
    ...(profiles !== undefined && { profiles }),
  }));
};

export const composeExport: ExportFormat = {
  name: 'compose',
  title: 'Compose',
  needsImage: true,
  rows: COMPOSE_ROWS,
  write: (services, name) => {
    const targets = targetsOf(services);
    const sections = services.map(({ spec, place, declared }, at) => ({
      name: targets[at]?.nameOf(spec.id) ?? spec.name,
      ...writeDeclared(declared, COMPOSE_ROWS, {
        service: spec.name,
        place,
        context: targets[at] as ComposeTarget,
      }),
    }));
    const secrets = secretsOf(services);
    const parts: readonly YamlPart[] = [
      {
        under: [],
        entries: [
          entryOf(
            ['name'],
            name
              .toLowerCase()
              .replaceAll(/[^a-z0-9_-]/g, '-')
              .replace(/^[_-]+/, ''),
          ),
        ],
      },
      ...sections.map((section) => ({ under: ['services', section.name], entries: section.entries })),
      ...(Object.keys(secrets).length > 0 ? [{ under: [], entries: [entryOf(['secrets'], secrets)] }] : []),
    ];
    return {
      files: [{ name: 'compose.yaml', text: yamlText(['Made by sup export --to compose.'], parts) }],
      losses: sections.flatMap(({ losses }) => losses),
    };
  },
};
