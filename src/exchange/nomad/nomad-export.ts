// Exports to Nomad: one job as JSON for each service. JSON has no comments, so the files do not mention the
// losses.
import { LOOSE } from '../../streams/domain/ids.ts';
import { writeDeclared } from '../apply-table.ts';
import type { ExportedService, ExportFormat } from '../export-format.ts';
import type { Entry, Plain } from '../key-table.ts';
import { differentNames } from '../service-names.ts';
import type { NomadContext } from './nomad-context.ts';
import { NOMAD_CHECK_ROWS } from './nomad-checks.ts';
import { NOMAD_JOB_ROWS } from './nomad-job.ts';
import { NOMAD_TASK_ROWS } from './nomad-task.ts';

// All rows. The first part of a key that a row writes says where the key belongs: `job`, `group` or `task`.
const NOMAD_ROWS = [...NOMAD_JOB_ROWS, ...NOMAD_TASK_ROWS, ...NOMAD_CHECK_ROWS];

/** Returns the values for one part of the job: `job`, `group` or `task`. */
const partOf = (entries: readonly Entry[], part: string): Readonly<Record<string, Plain>> =>
  Object.fromEntries(
    entries.filter(({ path }) => path[0] === part).map(({ path, value }) => [path[1] ?? '', value]),
  );

const listOf = (value: Plain | undefined): readonly Plain[] =>
  Array.isArray(value) ? (value as Plain[]) : [];

const jobOf = ({ jobId, type, driver, spec }: NomadContext, entries: readonly Entry[]): Plain => {
  const { Tasks: before, ...group } = partOf(entries, 'group');
  const task = { Name: spec.name, Driver: driver, ...partOf(entries, 'task') };
  return {
    ...{ ID: jobId, Name: jobId, Type: type, Datacenters: ['*'] },
    ...partOf(entries, 'job'),
    TaskGroups: [{ Name: spec.name, ...group, Tasks: [...listOf(before), task] }],
  };
};

const jobNames = (services: readonly ExportedService[]): readonly string[] =>
  differentNames(
    services.map(({ spec: { project, name } }) => (project === LOOSE ? name : `${project}-${name}`)),
    Infinity,
  );

const contextOf = (service: ExportedService, jobId: string): NomadContext => {
  const { spec, image, declared, isOneShot } = service;
  return {
    ...service,
    driver: image === undefined ? 'raw_exec' : 'docker',
    type: spec.kind === 'cron' || isOneShot ? 'batch' : 'service',
    jobId,
    has: (key) => declared.some((own) => own.key === key || own.key.startsWith(`${key}.`)),
  };
};

export const nomadExport: ExportFormat = {
  name: 'nomad',
  title: 'Nomad',
  rows: NOMAD_ROWS,
  write: (services) => {
    const names = jobNames(services);
    const all = services.map((service, at) => {
      const context = contextOf(service, names[at] ?? service.spec.name);
      const { declared, place, spec, jobId } = context;
      const section = writeDeclared(declared, NOMAD_ROWS, { service: spec.name, place, context });
      const text = `${JSON.stringify({ Job: jobOf(context, section.entries) }, undefined, 2)}\n`;
      return { file: { name: `${jobId}.nomad.json`, text }, losses: section.losses };
    });
    return { files: all.map(({ file }) => file), losses: all.flatMap(({ losses }) => losses) };
  },
};
