// Every table of the manifest in the order of its documentation, and how docs/manifest.md shows one.
import { blueGreen, deployment, healthCheck } from '../../src/manifest/decode/deployment-object.ts';
import {
  cgroup,
  isolation,
  landlock,
  limits,
  ports,
  seccomp,
} from '../../src/manifest/decode/privilege-objects.ts';
import { cron } from '../../src/manifest/decode/cron-object.ts';
import {
  dependency,
  growing,
  hook,
  hooks,
  reloadSignal,
  spawn,
  spawnLimits,
  stage,
} from '../../src/manifest/decode/service-keys.ts';
import { env } from '../../src/manifest/decode/env-object.ts';
import { type Field, isNeeded, NESTED } from '../../src/manifest/decode/shapes/fields.ts';
import { logs, metrics, status } from '../../src/manifest/decode/telemetry.ts';
import { manifest, project, singularObject } from '../../src/manifest/decode/top-level.ts';
import { service } from '../../src/manifest/decode/service-object.ts';
import { socket } from '../../src/manifest/decode/listen-sockets.ts';

export interface DocumentedTable {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field<unknown>>>;
}

export const TABLES: readonly DocumentedTable[] = [
  manifest,
  project,
  singularObject,
  service,
  dependency,
  growing,
  reloadSignal,
  env,
  logs,
  hooks,
  stage,
  hook,
  cron,
  deployment,
  healthCheck,
  blueGreen,
  socket,
  spawn,
  spawnLimits,
  limits,
  cgroup,
  isolation,
  seccomp,
  landlock,
  ports,
  status,
  metrics,
].map(({ table }) => table);

const defaultOf = (field: Field<unknown>): string => {
  if (isNeeded(field)) return 'required';
  if (field.fallback === NESTED) return 'its own defaults';
  return field.fallback === undefined ? (field.otherwise ?? '') : `\`${field.fallback}\``;
};

const row = (key: string, field: Field<unknown>): string =>
  `| \`${key}\` | ${field.decoder.label} | ${defaultOf(field)} | ${field.doc} |`;

/** The table of the documentation, one line per key. */
export const tableLines = ({ fields }: DocumentedTable): readonly string[] => [
  '| Key | Type | Default | Meaning |',
  '|---|---|---|---|',
  ...Object.entries(fields).map(([key, field]) => row(key, field)),
];
