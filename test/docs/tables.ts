// Every table of the manifest in the order of its documentation, and how docs/manifest.md shows one.
import { blueGreen } from '../../src/manifest/decode/deployment/blue-green.ts';
import { cgroup } from '../../src/manifest/decode/privileged/cgroup.ts';
import { cron } from '../../src/manifest/decode/service/cron.ts';
import { dependency } from '../../src/manifest/decode/service/nested/dependency.ts';
import { deployment } from '../../src/manifest/decode/deployment/deployment.ts';
import { env } from '../../src/manifest/decode/env/env.ts';
import { NESTED, type Field } from '../../src/manifest/decode/shapes/field.ts';
import { growing } from '../../src/manifest/decode/service/nested/growing.ts';
import { healthCheck } from '../../src/manifest/decode/deployment/health-check.ts';
import { hook, hooks, stage } from '../../src/manifest/decode/service/hooks.ts';
import { isolation, landlock, ports, seccomp } from '../../src/manifest/decode/privileged/isolation.ts';
import { limits } from '../../src/manifest/decode/privileged/limits.ts';
import { logs } from '../../src/manifest/decode/logs.ts';
import { manifest } from '../../src/manifest/decode/manifest.ts';
import { metrics } from '../../src/manifest/decode/metrics.ts';
import { isNeeded } from '../../src/manifest/decode/shapes/field.ts';
import { project } from '../../src/manifest/decode/project.ts';
import { singularObject } from '../../src/manifest/decode/singular-project.ts';
import { reloadSignal } from '../../src/manifest/decode/service/nested/reload-signal.ts';
import { service } from '../../src/manifest/decode/service/service.ts';
import { socket } from '../../src/manifest/decode/service/nested/socket.ts';
import { spawn } from '../../src/manifest/decode/service/spawn.ts';
import { spawnLimits } from '../../src/manifest/decode/service/nested/spawn-limits.ts';
import { status } from '../../src/manifest/decode/status.ts';

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
