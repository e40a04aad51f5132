// Whether supervisord itself understands configurations as `sup import` does.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { cleanName } from '../../../src/exchange/service-names.ts';
import { importedFrom, servicesIn, writtenFiles } from '../support/import-case.ts';
import { describeWith } from '../support/oracle.ts';
import { CONFIGURATIONS, ENVIRONMENT, REFUSED } from './configurations.ts';

interface Process {
  readonly name: string;
  readonly argv: readonly string[];
  readonly directory: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly priority: number;
  readonly autostart: boolean;
  readonly policy: string;
  readonly retries: number;
  readonly exitcodes: readonly number[];
  readonly stopsignal: number;
  readonly stopwaitsecs: number;
  readonly uid: number | null;
  readonly umask: number | null;
  readonly stdout: string | null;
  readonly stderr: string | null;
  readonly maxbytes: number;
  readonly backups: number;
}

interface Parsed {
  readonly refused?: true;
  readonly groups: readonly {
    readonly name: string;
    readonly socket: string | null;
    readonly processes: readonly Process[];
  }[];
}

/** Returns what supervisord makes of the files, in one process. */
const parsed = (files: readonly string[]): readonly Parsed[] =>
  JSON.parse(
    execFileSync('/usr/bin/python3', [join(import.meta.dirname, 'parse.py'), ...files], {
      ...{ encoding: 'utf8', env: ENVIRONMENT },
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as readonly Parsed[];

/** Returns the words that the shell makes of a line; those after `exec`. */
const wordsOf = (line: string): readonly string[] =>
  execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line.replace(/^exec | 0<&3 3<&-$/g, '')}`], {
    encoding: 'utf8',
    env: ENVIRONMENT,
  })
    .split('\0')
    .slice(0, -1);

const argvOf = ({ launch }: ServiceSpec): readonly string[] =>
  launch.tag === 'exec' ? launch.argv : wordsOf(launch.command.replace(/ 0<&3 3<&-$/, ''));

const uidOf = (user: string | undefined): number | null => {
  if (user === undefined) return null;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${user}:`) || each.split(':')[2] === user);
  return Number(line?.split(':')[2]);
};

/** A log that is not written, or not rotated, has no sizes. */
const rotation = (
  { logs: { maxBytes, maxFiles } }: ServiceSpec,
  { maxbytes, backups }: Process,
): Pick<Process, 'maxbytes' | 'backups'> => ({
  maxbytes: maxBytes ?? maxbytes,
  backups: maxBytes === 0 ? backups : (maxFiles ?? backups),
});

/** The facts of a service in the words of supervisord. */
const ours = (spec: ServiceSpec, config: Process, directory: string): Omit<Process, 'priority' | 'name'> => ({
  argv: argvOf(spec),
  directory: spec.workingDir === directory && config.directory === null ? null : spec.workingDir,
  environment: spec.env.vars,
  autostart: spec.skip !== true,
  policy: spec.restartPolicy,
  retries: spec.restartPolicy === 'never' ? config.retries : spec.maxRestarts,
  exitcodes: (spec.successExitCodes ?? []).map(Number),
  stopsignal: constants.signals[spec.stopSignal as keyof typeof constants.signals],
  stopwaitsecs: spec.stopTimeout / 1000,
  uid: uidOf(spec.privilege.user),
  umask: config.umask === null ? null : Number.parseInt(spec.umask ?? '', 8),
  stdout: spec.logs.sink === 'none' ? null : config.stdout,
  stderr: config.stderr,
  ...rotation(spec, config),
});

const theirs = ({ priority: _, name: __, ...config }: Process): Omit<Process, 'priority' | 'name'> => config;

/** The services that must be ready before this one, directly or through others. */
const before = (spec: ServiceSpec, all: readonly ServiceSpec[]): ReadonlySet<string> =>
  new Set(
    spec.dependsOn.flatMap(({ service }) => {
      const found = all.find(({ id }) => id === service);
      return [service, ...(found === undefined ? [] : before(found, all))];
    }),
  );

/** Finds the service of a process: by its name, or as the instance with its place in the group. */
const serviceOf = (
  { name, processes }: Parsed['groups'][number],
  config: Process,
  services: readonly ServiceSpec[],
): ServiceSpec | undefined => {
  const inGroup = services.filter(({ project }) => project === cleanName(name));
  const members =
    inGroup.length > 0 ? inGroup : services.filter(({ project }) => project.startsWith('import-'));
  const number = processes.indexOf(config) + 1;
  return (
    members.find((spec) => spec.name === cleanName(config.name)) ??
    members.find((spec) => spec.name === `${name}@${number}`)
  );
};

describeWith('supervisord')('supervisord and sup import', () => {
  it('understand programs, groups and numbers alike', async () => {
    const cases = Object.entries(CONFIGURATIONS).map(([title, files]) => ({
      ...{ title, files, directory: writtenFiles(files) },
    }));
    const results = parsed(cases.map(({ directory }) => join(directory, 'supervisord.conf')));
    expect(cases.length).toBeGreaterThanOrEqual(15);
    for (const [index, { title, files, directory }] of cases.entries()) {
      const groups = results[index]?.groups ?? [];
      const imported = await importedFrom(directory, { files, environment: ENVIRONMENT });
      const services = servicesIn(imported, ENVIRONMENT);
      const processes = groups.flatMap((group) => group.processes.map((config) => ({ group, config })));
      expect({ title, count: services.length }).toEqual({ title, count: processes.length });
      expect(processes.length).toBeGreaterThan(0);
      for (const { group, config } of processes) {
        const spec = serviceOf(group, config, services);
        if (spec === undefined) throw new Error(`${title}: ${config.name} has no service`);
        expect({ title, name: config.name, ...ours(spec, config, directory) }).toEqual({
          ...{ title, name: config.name },
          ...theirs(config),
        });
        const earlier = group.processes
          .filter((other) => other.autostart && config.autostart && other.priority < config.priority)
          .map((other) => serviceOf(group, other, services)?.id);
        expect([...before(spec, services)]).toEqual(expect.arrayContaining(earlier));
      }
    }
  });

  it('refuse the same configurations', async () => {
    const cases = Object.entries(REFUSED).map(([title, text]) => ({
      ...{ title, directory: writtenFiles({ 'supervisord.conf': text }) },
    }));
    const results = parsed(cases.map(({ directory }) => join(directory, 'supervisord.conf')));
    expect(cases.filter((_, index) => results[index]?.refused !== true)).toEqual([]);
    for (const { title, directory } of cases)
      await expect(
        importedFrom(directory, { files: { 'supervisord.conf': '' }, format: 'supervisord' }),
        title,
      ).rejects.toMatchObject({ document: { code: expect.stringMatching(/^ERR08(?:02|10)$/) as string } });
  });
});
