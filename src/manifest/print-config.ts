// Prints a manifest as one document (`docs/commands.md`, "config"): its files are merged, `!include` and
// anchors are resolved, services of profiles that are not chosen are left out. References such as `${VAR}`
// stay as they are written.
import { relative } from 'node:path';
import { Document, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { below, childOf, keysOf, type MapEntry, type Node, positionOf } from './read/node.ts';
import type { Manifest } from '../streams/domain/declared/manifest.ts';
import { maskedText, maskedWords } from '../streams/views/words/masked-text.ts';

interface Wanted {
  /** The loaded manifest. It has only the services of the chosen profiles. */
  readonly manifest: Manifest;
  /** The only project to print. If absent, all projects are printed. */
  readonly project?: string | undefined;
  /** True if values of variables, and passwords in texts, are printed. */
  readonly showValues: boolean;
  /** True if each value has its file and line as a comment. */
  readonly origin: boolean;
}

interface Printed {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** File and line of each value by its dotted path. */
  readonly origins: Readonly<Record<string, string>>;
}

const nameIn = (dependency: Node): unknown => {
  const named = childOf(dependency, 'service')?.value ?? dependency;
  return named.tag === 'scalar' ? named.value : undefined;
};

/**
 * Removes the services for which `exists` is false from a map of services, and from `depends_on` of the other
 * services.
 */
const withServices = (entry: MapEntry, exists: (name: string) => boolean): MapEntry => {
  if (entry.value.tag !== 'map') return entry;
  const kept = entry.value.entries.filter(({ key }) => exists(key));
  const entries = kept.map(({ value, ...rest }) => ({ ...rest, value: withDependencies(value, exists) }));
  return { ...entry, value: { ...entry.value, entries } };
};

const withDependencies = (service: Node, exists: (name: string) => boolean): Node => {
  if (service.tag !== 'map') return service;
  const entries = service.entries.map((entry) => {
    const { key, value } = entry;
    if (key !== 'depends_on' || value.tag !== 'list') return entry;
    return {
      ...entry,
      value: { ...value, items: value.items.filter((item) => exists(String(nameIn(item)))) },
    };
  });
  return { ...service, entries };
};

const mapped = (node: Node, turn: (entry: MapEntry) => readonly MapEntry[]): Node =>
  node.tag === 'map' ? { ...node, entries: node.entries.flatMap(turn) } : node;

/**
 * Returns the tree with only the services of the loaded manifest; with `project`, only those of this project.
 */
const chosen = (root: Node, { manifest, project }: Wanted): Node => {
  const named = keysOf(childOf(root, 'projects')?.value);
  const services = [...manifest.services, ...(manifest.groups ?? []).map(({ template }) => template)];
  const has = (id: string | undefined, name: string): boolean =>
    services.some(
      (spec) =>
        spec.name === name && (id === undefined ? !named.includes(spec.project) : spec.project === id),
    );
  const ofProject = ({ key: id, ...entry }: MapEntry): readonly MapEntry[] => {
    if (project !== undefined && id !== project) return [];
    const value = mapped(entry.value, (each) => [
      each.key === 'services' ? withServices(each, (name) => has(id, name)) : each,
    ]);
    return [{ ...entry, key: id, value }];
  };
  return mapped(root, (entry) => {
    if (entry.key === 'projects') return [{ ...entry, value: mapped(entry.value, ofProject) }];
    if (entry.key !== 'services') return [entry];
    const isAway = project !== undefined && named.includes(project);
    return isAway ? [] : [withServices(entry, (name) => has(undefined, name))];
  });
};

const VARIABLE = /(?:^|\.)env\.vars\.[^.]+$/;
const RECEIVER = /^alerts\[\d+\]\.url$/;

/** Returns the address without its path, because the path is often a secret. */
const hostOnly = (url: string): string => {
  if (!URL.canParse(url)) return '***';
  const { origin, pathname } = new URL(url);
  return pathname === '/' ? maskedText(url) : `${origin}/***`;
};

class Printer {
  readonly origins: Record<string, string> = {};
  readonly #wanted: Wanted;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  print(node: Node, path: string): Scalar | YAMLMap | YAMLSeq {
    if (node.tag === 'map') return this.#map(node.entries, path);
    if (node.tag === 'list') return this.#list(node.items, path);
    const value = node.tag === 'scalar' ? (node.value ?? null) : null;
    return this.#scalar(node, path, this.#shown(value, path));
  }

  #shown(value: string | number | boolean | null, path: string): string | number | boolean | null {
    if (this.#wanted.showValues) return value;
    if (VARIABLE.test(path)) return '***';
    if (typeof value !== 'string') return value;
    return RECEIVER.test(path) ? hostOnly(value) : maskedText(value);
  }

  #scalar(node: Node, path: string, value: unknown): Scalar {
    const scalar = new Scalar(value);
    const file = relative(process.cwd(), node.file.path);
    const origin = `${file.startsWith('..') ? node.file.path : file}:${positionOf(node).line}`;
    this.origins[path] = origin;
    if (this.#wanted.origin) scalar.comment = ` ${origin}`;
    return scalar;
  }

  #map(entries: readonly MapEntry[], path: string): YAMLMap {
    const map = new YAMLMap();
    for (const { key, value } of entries) map.set(new Scalar(key), this.print(value, below(path, key)));
    return map;
  }

  #list(items: readonly Node[], path: string): YAMLSeq {
    const list = new YAMLSeq();
    const words = items.map((item) => (item.tag === 'scalar' ? String(item.value ?? '') : ''));
    const masked = this.#wanted.showValues ? words : maskedWords(words);
    items.forEach((item, at) => {
      const place = `${path}[${at}]`;
      const isHidden = item.tag === 'scalar' && masked[at] !== words[at];
      list.add(isHidden ? this.#scalar(item, place, masked[at]) : this.print(item, place));
    });
    return list;
  }
}

/** Returns the manifest as YAML text and as a value, with the origin of each value. `root`: its tree. */
export const printedConfig = (root: Node, wanted: Wanted): Printed => {
  const printer = new Printer(wanted);
  const document = new Document();
  document.contents = printer.print(chosen(root, wanted), '');
  return {
    text: document.toString({ lineWidth: 0 }),
    value: document.toJS() as Printed['value'],
    origins: printer.origins,
  };
};
