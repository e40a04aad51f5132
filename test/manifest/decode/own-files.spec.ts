import { describe, expect, it } from 'vitest';
import type { Machine } from '../../../src/manifest/read/reader.ts';
import { loadFiles, manifestOf, serviceWith, wrongWith } from '../loading.ts';

const MACHINE: Machine = {
  knows: () => true,
  capabilities: [],
  cpus: [0],
  highest: () => 'unlimited',
  lowestNice: -20,
  lowestOomScore: -1000,
};
const INSIDE = 'isolation: { user: true }';

describe('credentials', () => {
  it('a credential is the absolute path of its file', () => {
    const { privilege } = serviceWith(
      `${INSIDE}\ncredentials: { tls.key: { file: /k }, db: { file: s/db } }`,
    );
    expect(privilege.credentials).toEqual({
      'tls.key': '/k',
      db: expect.stringMatching(/^\/.*\/s\/db$/) as string,
    });
  });

  it('a service with an empty map has no credentials, and needs nothing for them', () => {
    expect(serviceWith('credentials: {}').privilege).not.toHaveProperty('credentials');
  });

  it.each(['a/b', '.', '..', '.hidden', '-x', '"a b"', 'ü', '"a\\nb"', '"a:b"', '""', 'x'.repeat(129)])(
    'a name that is no plain file name is refused: %s',
    (name) => {
      const [problem, ...more] = wrongWith(`${INSIDE}\ncredentials: { ${name}: { file: /k } }`);
      expect(problem).toMatch(/^ERR0213 credentials\..*is not a credential name: letters, digits/su);
      expect(more).toEqual([]);
    },
  );

  it('credentials are refused without a mount namespace, with both versions', () => {
    for (const version of ['2', '3'])
      expect(
        loadFiles({ 'sup.yaml': manifestOf('credentials: { db: { file: /k } }', version) }).problems,
      ).toMatchObject([
        {
          code: 'ERR0748',
          severity: 'error',
          path: 'services.web.credentials',
          message: 'need a mount namespace, which there is with --sys or isolation.user',
          hint: expect.stringMatching(/--sys.*isolation.*env\.secrets/) as string,
        },
      ]);
  });

  it('only validate, which looks at this machine, warns of a file that cannot be used', () => {
    const files = {
      'sup.yaml': manifestOf(
        `${INSIDE}\ncredentials: { a: { file: a }, b: { file: b }, c: { file: . } }`,
        '3',
      ),
      b: 'x',
    };
    expect(loadFiles(files).problems).toEqual([]);
    expect(loadFiles(files, { machine: MACHINE }).problems).toMatchObject([
      { code: 'ERR0220', severity: 'warning', path: 'services.web.credentials.a.file' },
      { code: 'ERR0220', severity: 'warning', path: 'services.web.credentials.c.file' },
    ]);
  });

  it('validate warns if the files are too large together', () => {
    const files = {
      'sup.yaml': manifestOf(`${INSIDE}\ncredentials: { a: { file: a }, b: { file: b } }`, '3'),
      a: 'x'.repeat(1024 * 1024),
      b: 'x',
    };
    expect(loadFiles(files, { machine: MACHINE }).problems).toMatchObject([
      {
        code: 'ERR0220',
        path: 'services.web.credentials',
        message:
          'the files have 1048577 bytes together; they may have 1048576: the service will not be started',
      },
    ]);
  });

  it('the variable with their directory is set by the key, whatever env says', () => {
    const [problem] = wrongWith(
      `${INSIDE}\ncredentials: { a: { file: /a } }\nenv: { secrets: { CREDENTIALS_DIRECTORY: { file: /b } } }`,
    );
    expect(problem).toBe(
      'ERR0222 credentials: CREDENTIALS_DIRECTORY is in env.secrets, and this key sets it',
    );
  });
});

describe('state_dir', () => {
  it('a state directory is an absolute path, relative to the manifest', () => {
    expect(serviceWith('state_dir: /var/lib/web').stateDir).toBe('/var/lib/web');
    expect(serviceWith('state_dir: data/web').stateDir).toMatch(/^\/.*\/data\/web$/);
    expect(serviceWith('command: x')).not.toHaveProperty('stateDir');
  });

  it.each(['/', '/var/lib', '/var/lib/', '/tmp', '/usr/../etc', '/proc/x', '/dev'])(
    'a directory of the system is refused: %s',
    (path) => {
      expect(wrongWith(`state_dir: ${path}`)).toEqual([
        expect.stringMatching(/^ERR0749 state_dir: .* is a directory of the system$/),
      ]);
    },
  );

  it('two services with the same directory are a warning', () => {
    const text =
      'version: "2"\nservices:\n  a: { command: x, state_dir: /srv/a }\n  b: { command: x, state_dir: /srv/a }\n';
    expect(loadFiles({ 'sup.yaml': text }).problems).toMatchObject([
      { code: 'ERR0222', severity: 'warning', path: 'services.b.state_dir' },
    ]);
  });

  it('validate warns of what is no directory', () => {
    const files = { 'sup.yaml': manifestOf('state_dir: data'), data: 'x' };
    expect(loadFiles(files).problems).toEqual([]);
    expect(loadFiles(files, { machine: MACHINE }).problems).toMatchObject([
      { code: 'ERR0220', severity: 'warning', path: 'services.web.state_dir' },
    ]);
  });
});
