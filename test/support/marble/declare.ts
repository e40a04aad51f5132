// The services of a story, through the real manifest decoder: `a.b=c` in a service line is the key b of the map a, and
// the value is YAML. `world.…` is about the simulated world and not part of the manifest, except that `world.hooks` (`a`,
// `b` or `ab`) declares every hook of those forms. `later.…` is what the manifest says from the first SIGHUP on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { loadManifest } from '../../../src/manifest/load.ts';
import type { Manifest } from '../../../src/streams/domain/declared/manifest.ts';
import type { Story, StoryService } from './story.ts';

type Tree = { [key: string]: unknown };

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const place = (tree: Tree, path: readonly string[], value: unknown): void => {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const below = tree[key];
  const branch: Tree = isTree(below) ? below : {};
  tree[key] = branch;
  place(branch, rest, value);
};

/** Cron expressions begin with a star more often than stories have aliases. */
const valueOf = (text: string): unknown => (text.startsWith('*') ? text : parse(text));

const FORM_A = ['onstart', 'onerr'];
const FORM_B = ['on_start', 'on_stop', 'on_restart'].flatMap((stage) => [
  `${stage}.success`,
  `${stage}.error`,
]);

const hooksOf = (forms: string): readonly string[] => [
  ...(forms.includes('a') ? FORM_A : []),
  ...(forms.includes('b') ? FORM_B : []),
];

/** What is declared at first, and what is declared from the first SIGHUP on. */
export interface Declared {
  readonly first: Manifest;
  readonly later: Manifest;
}

const LATER = 'later.';

const optionsOf = (options: StoryService['options'], isLater: boolean): readonly [string, string][] => {
  const entries = Object.entries(options).filter(([key]) => !key.startsWith('world.'));
  const first = entries.filter(([key]) => !key.startsWith(LATER));
  const later = entries.filter(([key]) => key.startsWith(LATER));
  return isLater
    ? [...first, ...later.map(([key, value]): [string, string] => [key.slice(LATER.length), value])]
    : first;
};

const declared = ({ options }: StoryService, isLater: boolean): Tree => {
  const service: Tree = { exec: ['/bin/true'] };
  for (const hook of hooksOf(options['world.hooks'] ?? ''))
    place(service, ['hooks', ...hook.split('.'), 'command'], 'true');
  for (const [key, value] of optionsOf(options, isLater)) place(service, key.split('.'), valueOf(value));
  return service;
};

/** `world.alerts` is `recovered_after` of a receiver, which the whole manifest then has. */
const alertsOf = (after: string | undefined): readonly Tree[] =>
  after === undefined ? [] : [{ command: 'true', recovered_after: after }];

const manifestIn = (directory: string, { name, services }: Story, isLater: boolean): Manifest => {
  const file = join(directory, 'sup.yaml');
  const shop = {
    services: Object.fromEntries(services.map((service) => [service.name, declared(service, isLater)])),
  };
  const alerts = services.flatMap(({ options }) => alertsOf(options['world.alerts']));
  writeFileSync(file, stringify({ version: '2', projects: { shop }, ...(alerts.length > 0 && { alerts }) }));
  const { manifest, problems } = loadManifest(file, {
    environment: {},
    uid: process.getuid?.() ?? 0,
    sys: false,
    // Loading the addon of ffi-napi in a thread, as in mutation tests, ends Node when the thread ends.
    absence: () => undefined,
  });
  if (manifest === undefined)
    throw new Error(`${name}: ${problems.map(({ message }) => message).join('; ')}`);
  return manifest;
};

/** Throws with the problems of the manifest when a story declares nonsense. */
export const manifestsOf = (story: Story): Declared => {
  const directory = mkdtempSync(join(tmpdir(), 'marble-'));
  try {
    return { first: manifestIn(directory, story, false), later: manifestIn(directory, story, true) };
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** What is declared at first. */
export const manifestOf = (story: Story): Manifest => manifestsOf(story).first;
