// One manifest for each code of a manifest: it is loaded, and what is wrong with it is the example.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { loadManifest } from '../../../src/manifest/load.ts';
import type { Machine } from '../../../src/manifest/read/reader.ts';
import type { LoadResult, ManifestCode, Problem } from '../../../src/streams/domain/declared/manifest.ts';
import { claimantOf, claims } from '../../../src/streams/kernel/manifest-claims.ts';
import { INITIAL_STATE } from '../../../src/streams/kernel/state.ts';
import { directoryWith, loadText, manifestOf, portsWith } from '../../manifest/loading.ts';

const SHOP = '/srv/shop';

/** The problems, with the directory of the test replaced by one that a reader would have. */
const problemsOf = ({ path, problems }: LoadResult): readonly Problem[] => {
  const directory = path.replace(/\/[^/]*$/, '');
  return problems.map(
    (problem) => JSON.parse(JSON.stringify(problem).replaceAll(directory, SHOP)) as Problem,
  );
};

const inService = (fields: string, version?: string): readonly Problem[] =>
  problemsOf(loadText(manifestOf(fields, version)));

const withFiles = (files: Readonly<Record<string, string>>): readonly Problem[] =>
  problemsOf(loadManifest(join(directoryWith(files), 'sup.yaml'), portsWith()));

const untrusted = (): readonly Problem[] => {
  const directory = directoryWith({ 'sup.yaml': manifestOf('') });
  chmodSync(join(directory, 'sup.yaml'), 0o666);
  return problemsOf(loadManifest(join(directory, 'sup.yaml'), portsWith()));
};

const claimed = (): readonly Problem[] => {
  const [mine, other] = [SHOP, '/srv/old'].map((directory) => {
    const { manifest } = loadText(manifestOf(''));
    if (manifest === undefined) throw new Error('it loads');
    return { ...manifest, path: `${directory}/sup.yaml` };
  });
  return mine === undefined || other === undefined
    ? []
    : claims(INITIAL_STATE, [claimantOf(other), claimantOf(mine)], mine);
};

const SMALL_MACHINE: Machine = {
  knows: () => true,
  capabilities: [],
  cpus: [0, 1],
  highest: () => 524_288,
  lowestNice: 0,
  lowestOomScore: 0,
};

/** A problem that depends on the user of the tests is not loaded but written here. */
const ROOT_COMMAND: Problem = {
  code: 'ERR0747',
  severity: 'warning',
  path: 'services.web.deployment.pre_start',
  file: `${SHOP}/sup.yaml`,
  line: 6,
  column: 18,
  message: `runs as root, and ${SHOP}/web is not root's alone (it is owned by user 33; with --sys it must be owned by root)`,
  hint: "run_as: service runs it as www-data; else make the place root's, and closed to others",
};

const CASES: Readonly<Record<ManifestCode, () => readonly Problem[]>> = {
  ERR0207: () => withFiles({ 'sup.yaml': 'version: 2\nservices:\n  web: !include web.yaml\n' }),
  ERR0208: () =>
    withFiles({
      'sup.yaml': 'version: 2\nservices:\n  web: !include web.yaml\n',
      'web.yaml': 'command: node web.js\nenv: !include web.yaml\n',
    }),
  ERR0209: () => inService(`exec: ${'['.repeat(60)}${']'.repeat(60)}`),
  ERR0210: () => inService('backoff: 1.5s'),
  ERR0211: () => inService('restart_polcy: always'),
  ERR0212: () => inService('', '1'),
  ERR0213: () => inService('max_restarts: many'),
  ERR0214: () => inService('depends_on: [db]'),
  ERR0215: () =>
    withFiles({
      'sup.yaml': `version: 2
services:
  db: { command: run-db, depends_on: [web] }
  web: { command: run-web, depends_on: [db] }
`,
    }),
  ERR0216: () => inService('command: node web.js --port ${PORT}'),
  ERR0217: () => withFiles({ 'sup.yaml': 'version: 2\nservices:\n  web: { command: run\n' }),
  ERR0218: claimed,
  ERR0219: untrusted,
  ERR0220: () => inService('env: { file: web.env }'),
  ERR0221: () => inService('cron: { expression: "61 * * * *" }'),
  ERR0222: () => inService('command: run\nexec: [run]'),
  ERR0223: () => inService('cron: { expression: "0 3 * * *" }\nmax_restarts: 3'),
  ERR0226: () =>
    problemsOf(
      loadText(
        'version: "2"\nservices:\n  web:\n    command: node web.js\n    depends_on: [mail]\n' +
          '  mail: { command: mailpit, profiles: [dev] }\n',
      ),
    ),
  ERR0227: () => inService('command: !reset'),
  ERR0705: () => inService('limits: { cgroup: { memory_max: 512M } }'),
  ERR0721: () => inService('isolation: { apparmor_profile: web }'),
  ERR0728: () =>
    problemsOf(
      loadText(manifestOf('deployment: { health_check: { notify: true } }'), {
        absence: () => 'no native build was found',
      }),
    ),
  ERR0741: () =>
    problemsOf(loadText(manifestOf('limits: { cpu_affinity: [0, 8] }'), { machine: SMALL_MACHINE })),
  ERR0747: () => [ROOT_COMMAND],
  ERR0749: () => inService('state_dir: /var/lib'),
  ERR0748: () => inService('credentials: { db: { file: secrets/db } }'),
};

/** The first problem with this code in its manifest. */
export const manifestExample = (code: ManifestCode): Problem => {
  const problems = CASES[code]();
  const found = problems.find((problem) => problem.code === code);
  if (found === undefined) throw new Error(`${code} is not among ${JSON.stringify(problems)}`);
  return found;
};
