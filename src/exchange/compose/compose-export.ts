// Exports to a Compose file: one Compose service for each service, and a list of secrets with their files.
import { writeDeclared } from '../apply-table.ts';
import type { ExportedService, ExportFormat } from '../export-format.ts';
import { cleanNames, differentNames } from '../service-names.ts';
import { yamlText, type YamlPart } from '../yaml-text.ts';
import { runnableCheck } from './compose-check-rows.ts';
import { COMPOSE_ROWS } from './compose-table.ts';
import { type ComposeTarget, withDollars } from './compose-target.ts';
import { entryOf, type Plain } from '../key-table.ts';

interface Secrets {
  /** The map `secrets` for the top level of the file. It has the file of each secret by its name. */
  readonly declared: Readonly<Record<string, Plain>>;
  readonly nameOf: ComposeTarget['secretOf'];
}

/**
 * Returns the secrets of all services. If secrets with different files have the same name, all but the first
 * of them get a number.
 */
const secretsOf = (services: readonly ExportedService[]): Secrets => {
  const keyOf = (name: string, file: string): string => JSON.stringify([name, file]);
  const fileByKey = new Map(
    services
      .flatMap(({ spec }) => Object.entries(spec.env.secrets ?? {}))
      .map(([name, file]) => [keyOf(name, file), { name, file: withDollars(file) }]),
  );
  const all = [...fileByKey].map(([key, secret]) => ({ key, ...secret }));
  const names = differentNames(
    all.map(({ name }) => name),
    Infinity,
  );
  const unique = all.map((secret, at) => ({ ...secret, name: names[at] ?? secret.name }));
  const nameByKey = new Map(unique.map(({ key, name }) => [key, name]));
  return {
    declared: Object.fromEntries(unique.map(({ name, file }) => [name, { file }])),
    nameOf: (name, file) => nameByKey.get(keyOf(name, file)) ?? name,
  };
};

const targetsOf = (
  services: readonly ExportedService[],
  secretOf: ComposeTarget['secretOf'],
): readonly ComposeTarget[] => {
  const names = cleanNames(services.map(({ spec }) => spec.name));
  const nameById = new Map(services.map(({ spec }, at) => [spec.id, names[at] ?? spec.name]));
  const checked = new Set(services.filter(runnableCheck).map(({ spec }) => spec.id));
  return services.map(({ spec, replicas, image, profiles }) => ({
    spec,
    nameOf: (id) => nameById.get(id) ?? id,
    isChecked: (id) => checked.has(id),
    secretOf,
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
    const secrets = secretsOf(services);
    const targets = targetsOf(services, secrets.nameOf);
    const sections = services.map(({ spec, place, declared }, at) => ({
      name: targets[at]?.nameOf(spec.id) ?? spec.name,
      ...writeDeclared(declared, COMPOSE_ROWS, {
        service: spec.name,
        place,
        context: targets[at] as ComposeTarget,
      }),
    }));
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
      ...(Object.keys(secrets.declared).length > 0
        ? [{ under: [], entries: [entryOf(['secrets'], secrets.declared)] }]
        : []),
    ];
    return {
      files: [{ name: 'compose.yaml', text: yamlText(['Made by sup export --to compose.'], parts) }],
      losses: sections.flatMap(({ losses }) => losses),
    };
  },
};
