// Every table of the manifest in the order of its documentation, and how docs/manifest.md shows one.
import { alert, alertSecret } from '../../src/manifest/decode/alerts-object.ts';
import { blueGreen, deployment, healthCheck, liveness } from '../../src/manifest/decode/deployment-object.ts';
import {
  cgroup,
  isolation,
  landlock,
  limits,
  ports,
  protect,
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
import { secret } from '../../src/manifest/decode/env-secrets.ts';
import { credential } from '../../src/manifest/decode/own-files.ts';
import { type Field, isNeeded, NESTED } from '../../src/manifest/decode/shapes/fields.ts';
import { logs, metrics, status } from '../../src/manifest/decode/logs-status-metrics.ts';
import { manifest, project, singularObject } from '../../src/manifest/decode/top-level.ts';
import { watch } from '../../src/manifest/decode/watch-object.ts';
import { service } from '../../src/manifest/decode/service-object.ts';
import { socket } from '../../src/manifest/decode/listen-sockets.ts';
import { NOT_CARRIED_OUT } from '../../src/manifest/check/ignored-keys.ts';
import type { Problem } from '../../src/streams/domain/declared/manifest.ts';
import { loadFiles } from '../manifest/loading.ts';
import { tableOf } from '../support/docs/block.ts';
import { HOMES } from '../support/docs/key-examples.ts';
import { manifestWith } from '../support/docs/key-manifests.ts';

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
  secret,
  credential,
  logs,
  hooks,
  stage,
  hook,
  watch,
  cron,
  deployment,
  healthCheck,
  liveness,
  blueGreen,
  socket,
  spawn,
  spawnLimits,
  limits,
  cgroup,
  isolation,
  protect,
  seccomp,
  landlock,
  ports,
  status,
  metrics,
  alert,
  alertSecret,
].map(({ table }) => table);

const defaultOf = (field: Field<unknown>): string => {
  if (isNeeded(field)) return 'required';
  if (field.fallback === NESTED) return 'its own defaults';
  return field.fallback === undefined ? (field.otherwise ?? '') : `\`${field.fallback}\``;
};

/** Files that the examples name. */
const FILES = { 'web.env': 'PORT=8080\n', 'alerts.key': 'a secret\n' };

/** What is wrong with the example of a key under this version, without a privileged supervisor. */
export const problemsWith = (table: string, key: string, version: 2 | 3): readonly Problem[] =>
  loadFiles({ ...FILES, 'sup.yaml': manifestWith(table, key, version) }).problems;

const NEVER: ReadonlySet<string> = new Set(
  NOT_CARRIED_OUT.flatMap(({ key, beside }) => (beside === undefined ? [key] : [])),
);

/** True for a key that is accepted and never applied: version 3 refuses it. */
export const isNeverApplied = (table: string, key: string): boolean => NEVER.has(`${table}.${key}`);

/** The versions that carry the key out, as loading its example shows. */
const versionsOf = (table: string, key: string): string => {
  const isRefused = problemsWith(table, key, 3).some(({ severity }) => severity === 'error');
  if (!isRefused) return '2, 3';
  return isNeverApplied(table, key) ? '2' : '2; 3 with `--sys`';
};

const row = (table: string, key: string, field: Field<unknown>): readonly string[] => [
  `\`${key}\``,
  field.decoder.label,
  defaultOf(field),
  versionsOf(table, key),
  field.doc,
  `\`${HOMES[table]?.examples[key] ?? ''}\``,
];

/** The table of the documentation, one line per key. */
export const keysTable = ({ name, fields }: DocumentedTable): string =>
  tableOf(
    ['Key', 'Type', 'Default', 'Versions', 'Meaning', 'Example'],
    Object.entries(fields).map(([key, field]) => row(name, key, field)),
  );
