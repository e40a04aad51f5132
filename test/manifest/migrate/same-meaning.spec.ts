import { isMap, parseDocument, type YAMLMap } from 'yaml';
import { describe, expect, it } from 'vitest';
import { meansTheSame } from '../../../src/manifest/migrate/same-meaning.ts';

const rootOf = (text: string): YAMLMap => {
  const { contents } = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
  if (!isMap(contents)) throw new Error('not a map');
  return contents;
};

const OLD = 'x: &x 1\nproject: { id: a, name: A }\nservices: { w: { command: "1", n: *x } }\n';

describe('a migrated manifest', () => {
  it.each([
    'x: &x 1\nprojects: { a: { name: A, services: { w: { command: "1", n: *x } } } }\n',
    "x: 1\nprojects:\n  'a':\n    services:\n      w: { command: '1', n: 1 }\n    name: A\n",
  ])('a migrated manifest means the same as %j', (text) => {
    expect(meansTheSame(rootOf(OLD), rootOf(text))).toBe(true);
  });

  it.each([
    ['a number for a text', 'x: 1\nprojects: { a: { name: A, services: { w: { command: 1, n: 1 } } } }'],
    ['an unknown alias', 'x: 1\nprojects: { a: { name: A, services: { w: { command: "1", n: *x } } } }'],
    ['no name', 'x: 1\nprojects: { a: { services: { w: { command: "1", n: 1 } } } }'],
    ['another id', 'x: 1\nprojects: { b: { name: A, services: { w: { command: "1", n: 1 } } } }'],
    ['an entry less', 'projects: { a: { name: A, services: { w: { command: "1", n: 1 } } } }'],
    ['a tag', 'x: 1\nprojects: { a: { name: A, services: { w: { command: "1", n: !t 1 } } } }'],
    ['services left', 'x: 1\nprojects: { a: { name: A } }\nservices: { w: { command: "1", n: 1 } }'],
  ])('a migrated manifest does not mean the same with %s', (_, text) => {
    expect(meansTheSame(rootOf(OLD), rootOf(text))).toBe(false);
  });

  it('a migrated manifest has an empty map if there were no services', () => {
    expect(meansTheSame(rootOf('project: a'), rootOf('projects: { a: { services: {} } }'))).toBe(true);
  });
});
