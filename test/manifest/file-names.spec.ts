import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDefaultManifest } from '../../src/manifest/file-names.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Problem } from '../../src/streams/domain/declared/manifest.ts';
import { directoryWith, portsWith } from './loading.ts';

it.each([
  [['sup.yaml', 'sup.yml'], 'sup.yaml'],
  [['sup.yml', 'other.yaml'], 'sup.yml'],
])('of %j the default manifest is %s', (names, expected) => {
  const directory = directoryWith(Object.fromEntries(names.map((name) => [name, ''])));
  expect(findDefaultManifest(directory)).toBe(join(directory, expected));
});

it('a directory without a manifest has no default manifest', () => {
  expect(findDefaultManifest(directoryWith({ 'other.yaml': '' }))).toBeUndefined();
});

const problemsOf = (name: string, text: string): readonly Problem[] =>
  loadManifest(join(directoryWith({ [name]: text }), name), portsWith()).problems;

describe('a file of another tool', () => {
  it.each([
    ['Procfile', 'web: node server.js\n', 'a Procfile'],
    ['Procfile.dev', 'web: node server.js\n', 'a Procfile'],
    ['app.ini', '[program:web]\ncommand=node\n', 'a configuration of supervisord'],
    ['supervisord.conf', '[program:web]\ncommand=node\n', 'a configuration of supervisord'],
    ['web.service', '[Unit]\nDescription=web\n[Service]\nExecStart=/bin/web\n', 'a unit of systemd'],
    ['ecosystem.config.js', 'module.exports = { apps: [] }\n', 'a configuration of pm2'],
  ])('a file of another tool is recognized by its name alone: %s', (name, text, kind) => {
    const message = `this is ${kind}, not a manifest of sup`;
    expect(problemsOf(name, text)).toMatchObject([{ code: 'ERR0203', severity: 'error', message }]);
  });

  it.each(['compose.yaml', 'docker-compose.yml', 'docker-compose.prod.yml'])(
    'a YAML file of another tool is recognized, and its keys have their hints: %s',
    (name) => {
      const problems = problemsOf(name, 'services:\n  web:\n    image: nginx\nvolumes: {}\n');
      expect(problems[0]).toMatchObject({
        code: 'ERR0203',
        message: 'this is a Compose file, not a manifest of sup',
      });
      expect(problems.slice(1).map(({ path }) => path)).toEqual([
        'version',
        'services.web',
        'services.web.image',
        'volumes',
      ]);
    },
  );

  it('a file with the name of another tool is a manifest if it loads as one', () => {
    expect(problemsOf('compose.yaml', 'version: "2"\nservices: { web: { command: run } }\n')).toEqual([]);
  });

  it('a missing file of another tool is reported like any other', () => {
    const { problems } = loadManifest(join(directoryWith({}), 'Procfile'), portsWith());
    expect(problems).toMatchObject([{ code: 'ERR0203' }]);
    expect(problems[0]?.message).not.toContain('Procfile, not');
  });
});
