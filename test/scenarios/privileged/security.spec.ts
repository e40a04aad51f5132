// Needs the native addon.
// `sup security` on real processes: what the declaration says of each check is what the kernel says of the process.
import { describe, expect } from 'vitest';
import type { SecurityDocument } from '../../../src/streams/wire/documents/security-documents.ts';
import { eventually } from '../support/eventually.ts';
import { asNobody, asRoot, contained, manifest, runningSys, startSys } from '../support/privileged.ts';
import { shell, steady, type Declared } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, expectFailed } from '../support/witnesses.ts';

type Judged = SecurityDocument['services'][number];

const judgedBy = async (stage: Stage, ...args: readonly string[]): Promise<SecurityDocument> => {
  const outcome = await stage.sup('security', '--json', ...args);
  expectDone(outcome);
  return JSON.parse(outcome.stdout) as SecurityDocument;
};

const serviceOf = ({ services }: SecurityDocument, name: string): Judged => {
  const found = services.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name}: ${services.map((one) => one.name).join(', ')}`);
  return found;
};

/** The openness that the kernel shows, by check. */
const runningIn = (service: Judged): Readonly<Record<string, number | null>> =>
  Object.fromEntries(service.checks.map(({ id, running }) => [id, running]));

/** The checks whose two sides do not say the same. */
const disagreeing = ({ name, checks }: Judged): readonly string[] =>
  checks
    .filter(({ declared, running }) => declared !== null && running !== null && declared !== running)
    .map(({ id, declared, running }) => `${name}: ${id} declared ${declared}, running ${running}`);

const AS_NOBODY = { user: 'nobody' };
const isolated = (isolation: Declared, more: Declared = {}): Declared => ({ isolation, ...more });

/** A declaration, and what the kernel must show of it. */
type Case = readonly [declared: Declared, running: Readonly<Record<string, number>>];

const OPEN_CAPABILITIES = { cap_sys_admin: 1, cap_kernel: 1, cap_files: 1, cap_ids: 1, bounding_set: 1 };
const NO_CAPABILITIES = { cap_sys_admin: 0, cap_kernel: 0, cap_files: 0, cap_ids: 0, cap_others: 0 };

const CASES: Readonly<Record<string, Case>> = {
  bare: [{}, { user: 1, own_user: 1, root_group: 1, no_new_privs: 1, seccomp: 1, ...OPEN_CAPABILITIES }],
  user: [
    AS_NOBODY,
    { user: 0, own_user: 0, root_group: 0, no_new_privs: 0, ...NO_CAPABILITIES, bounding_set: 0 },
  ],
  'user-gains': [isolated({ no_new_privs: false }, AS_NOBODY), { user: 0, no_new_privs: 1 }],
  'root-group': [
    { ...AS_NOBODY, group: 'root' },
    { user: 0, root_group: 1 },
  ],
  'root-groups': [
    { ...AS_NOBODY, supplementary_groups: ['root'] },
    { user: 0, root_group: 1 },
  ],
  'other-group': [{ group: 'nogroup' }, { user: 1, root_group: 1 }],
  'no-caps': [{ capabilities: [] }, { user: 1, ...NO_CAPABILITIES, bounding_set: 0 }],
  'low-ports': [{ capabilities: ['CAP_NET_BIND_SERVICE'] }, { ...NO_CAPABILITIES, bounding_set: 0 }],
  'one-cap': [
    { ...AS_NOBODY, capabilities: ['CAP_NET_RAW'] },
    { user: 0, cap_network: 1, cap_sys_admin: 0, bounding_set: 1 },
  ],
  'no-gain': [isolated({ no_new_privs: true }), { user: 1, no_new_privs: 0 }],
  system: [isolated({ protect: { system: 'read_only' } }), { protect_system: 0, protect_home: 0.5 }],
  os: [isolated({ protect: { system: 'os_read_only' } }), { protect_system: 0.5, seccomp: 0 }],
  home: [isolated({ protect: { home: 'hidden' } }), { protect_home: 0, protect_system: 1 }],
  'home-ro': [isolated({ protect: { home: 'read_only' } }), { protect_home: 0.5, protect_system: 1 }],
  tmp: [isolated({ protect: { tmp: 'private' } }), { protect_tmp: 0, protect_devices: 1 }],
  devices: [isolated({ protect: { devices: 'minimal' } }), { protect_devices: 0, protect_tmp: 1 }],
  proc: [isolated({ protect: { proc: 'own' } }), { protect_proc: 0, protect_kernel: 1 }],
  kernel: [isolated({ protect: { kernel: 'read_only' } }), { protect_kernel: 0, protect_proc: 1 }],
  full: [isolated({ protect: 'full' }), { protect_kernel: 0 }],
  'strict-root': [isolated({ protect: 'strict' }), { user: 1, protect_system: 0, protect_home: 0 }],
  strict: [
    isolated({ protect: 'strict' }, AS_NOBODY),
    { user: 0, protect_system: 0, protect_home: 0, protect_tmp: 0, protect_proc: 0, no_new_privs: 0 },
  ],
  'strict-writes': [
    isolated({ protect: 'strict', landlock: { ro_paths: ['/'], rw_paths: ['/var/tmp', '/dev'] } }, AS_NOBODY),
    { protect_system: 0, protect_devices: 0 },
  ],
  'strict-pid': [isolated({ protect: 'strict', pid: true, network: true }, AS_NOBODY), { pid_namespace: 0 }],
  network: [isolated({ network: true }), { network: 0, ports: 0, pid_namespace: 1, user_namespace: 1 }],
  mount: [isolated({ mount: true }), { protect_system: 1, network: 1 }],
  pid: [isolated({ pid: true }), { pid_namespace: 0, network: 1 }],
  inside: [
    isolated({ user: true }),
    { user: 0, own_user: 0, user_namespace: 0, pid_namespace: 1, ...NO_CAPABILITIES },
  ],
  'inside-user': [isolated({ user: true }, AS_NOBODY), { user: 0, user_namespace: 0, ...NO_CAPABILITIES }],
  'inside-all': [
    isolated({ user: true, pid: true, network: true, mount: true, protect: 'strict' }),
    { user_namespace: 0, pid_namespace: 0, network: 0, protect_system: 0, protect_proc: 0 },
  ],
  baseline: [isolated({ seccomp: 'baseline' }), { seccomp: 0, no_new_privs: 0 }],
  denied: [isolated({ seccomp: { profile: 'none', deny: ['ptrace'] } }), { seccomp: 0, no_new_privs: 0 }],
  families: [isolated({ address_families: ['AF_UNIX', 'AF_INET'] }), { seccomp: 0, no_new_privs: 0 }],
  files: [isolated({ landlock: { ro_paths: ['/'], rw_paths: ['/dev'] } }), { no_new_privs: 0, seccomp: 1 }],
  masked: [{ umask: '0027' }, { umask: 0 }],
  'partly-masked': [{ umask: '0022' }, { umask: 0.5 }],
  unmasked: [{ umask: '0000' }, { umask: 1 }],
};

const declaredIn = (cases: Readonly<Record<string, Case>>): Readonly<Record<string, Declared>> =>
  Object.fromEntries(Object.entries(cases).map(([name, [declared]]) => [name, steady(declared)]));

describe('sup security as root', () => {
  asRoot('says of each isolation what the kernel says of the process', async (stage) => {
    await runningSys(stage, declaredIn(CASES));
    const document = await judgedBy(stage, '--sys');
    expect(document).toMatchObject({ supervised: true, privileged: true });
    expect(document.services.flatMap(disagreeing)).toEqual([]);
    for (const [name, [, running]] of Object.entries(CASES))
      expect({ name, ...runningIn(serviceOf(document, name)) }).toMatchObject({ name, ...running });
    expect(document.services.filter(({ differs, pid }) => differs || pid === null)).toEqual([]);
    const scores = Object.fromEntries(document.services.map(({ name, score }) => [name, score]));
    expect(scores['strict']).toBeLessThan(2);
    expect(scores['bare']).toBeGreaterThan(9);
    expect(document.supervisor.length).toBeGreaterThan(0);
  });
});

/** The row of a check. */
const rowOf = (document: SecurityDocument, name: string, id: string): Judged['checks'][number] | undefined =>
  serviceOf(document, name).checks.find((check) => check.id === id);

describe('declaration and process differ', () => {
  asRoot('after the manifest has changed, until sup apply', async (stage) => {
    await runningSys(stage, { web: steady() });
    expect(serviceOf(await judgedBy(stage, '--sys'), 'web').differs).toBe(false);
    stage.declare(manifest({ web: steady({ isolation: { no_new_privs: true } }) }));
    const changed = await judgedBy(stage, '--sys');
    expect(rowOf(changed, 'web', 'no_new_privs')).toMatchObject({
      declared: 0,
      running: 1,
      difference: 'changed',
    });
    const { stdout } = await stage.sup('security', '--sys', 'web');
    expect(stdout).toMatch(/^ *≠ .*\bno_new_privs\b/m);
    expect(stdout).toContain('sup apply');
    expectDone(await stage.sup('apply', '--sys'));
    const applied = await judgedBy(stage, '--sys');
    expect(serviceOf(applied, 'web').differs).toBe(false);
    expect(rowOf(applied, 'web', 'no_new_privs')).toMatchObject({ declared: 0, running: 0 });
  });

  asRoot('if the process itself has opened what was closed', async (stage) => {
    await runningSys(stage, { web: shell('umask 0; exec sleep 1000', { umask: '0027' }) });
    const seen = await eventually({
      what: 'the umask of web',
      look: async () => {
        const row = rowOf(await judgedBy(stage, '--sys'), 'web', 'umask');
        return row?.running === 1 ? row : undefined;
      },
    });
    expect(seen).toMatchObject({ declared: 0, difference: 'other' });
  });

  contained('if the kernel refused a key of version 2', async (stage) => {
    const services = { web: steady({ isolation: { network: true } }) };
    expect(await startSys(stage, services, '2')).toMatchObject({ status: 0 });
    const document = await judgedBy(stage, '--sys');
    expect(rowOf(document, 'web', 'network')).toMatchObject({
      declared: 0,
      running: 1,
      difference: 'skipped',
    });
    // The declaration counts for who may use the control socket.
    expect(rowOf(document, 'web', 'control')).toMatchObject({ declared: 0, openness: 0, difference: null });
    const { stdout } = await stage.sup('security', '--sys', 'web');
    expect(stdout).toContain('sup inspect --sys web');
  });
});

/** Isolations that need no root. */
const UNPRIVILEGED: Readonly<Record<string, Declared>> = {
  bare: {},
  'no-gain': isolated({ no_new_privs: true }),
  baseline: isolated({ seccomp: 'baseline' }),
  files: isolated({ landlock: { ro_paths: ['/'], rw_paths: ['/dev'] } }),
  inside: isolated({ user: true }),
  'inside-all': isolated({ user: true, pid: true, network: true, protect: 'strict' }),
  masked: { umask: '0077' },
};

describe('sup security as another user', () => {
  asNobody('agrees with the kernel, and judges the declaration alone without a supervisor', async (stage) => {
    const services = Object.entries(UNPRIVILEGED).map(([name, more]) => [name, steady(more)] as const);
    stage.declare(manifest(Object.fromEntries(services)));
    const before = await judgedBy(stage);
    expect(before).toMatchObject({ supervised: false, privileged: false });
    expect(before.services.map(({ pid }) => pid)).toEqual(services.map(() => null));
    const said = await stage.sup('security');
    expect(said).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('no supervisor is running') as string,
    });
    expectDone(await stage.sup('start', '--daemonize'));
    const document = await judgedBy(stage);
    expect(document.services.flatMap(disagreeing)).toEqual([]);
    expect(document.services.filter(({ differs, pid }) => differs || pid === null)).toEqual([]);
    expect(runningIn(serviceOf(document, 'bare'))).toMatchObject({ user: 0, own_user: 1, no_new_privs: 1 });
    expect(runningIn(serviceOf(document, 'inside-all'))).toMatchObject({
      ...{
        user_namespace: 0,
        pid_namespace: 0,
        network: 0,
        protect_system: 0,
        protect_tmp: 0,
        no_new_privs: 0,
      },
    });
  });

  asNobody(
    'fails in CI if a score is above the threshold, and judges for a supervisor of root',
    async (stage) => {
      stage.declare(
        manifest({
          strict: steady({ user: 'nobody', isolation: { protect: 'strict' } }),
          bare: steady(),
        }),
      );
      const above = await stage.sup('security', '--sys', '-c', 'sup.yaml', '--threshold', '4');
      expectFailed(above, 'ERR0247');
      expect(above.stderr).toContain('bare');
      expect(above.stderr).not.toContain('strict');
      expectDone(await stage.sup('security', '--sys', '-q', '-c', 'sup.yaml', '--threshold', '2', 'strict'));
      expectFailed(await stage.sup('security', '-c', 'sup.yaml', '--threshold', '11'), 'ERR0246', 2);
    },
  );
});
