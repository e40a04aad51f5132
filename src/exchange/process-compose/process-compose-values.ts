// Reads values of process-compose: variables, environments and probes.
import type { Node as TreeNode } from '../../manifest/read/node.ts';
import { withTexts } from '../structured-settings.ts';
import { shellWord } from '../../os/shell-word.ts';
import {
  isList,
  ownValue,
  remarks,
  isPlainMap,
  type Plain,
  type Translation,
  type KeyRow,
} from '../key-table.ts';
import { literalText } from '../manifest-text.ts';
import { textOf, numberOf } from '../source-values.ts';

export interface ProcessContext {
  readonly own: Readonly<Record<string, Plain>>;
  readonly names: ReadonlyMap<string, string>;
  /** The shell that runs commands, and its option for a command: `bash` and `-c`. */
  readonly shell: readonly [string, string];
  /** The variables of the whole file. */
  readonly shared: Readonly<Record<string, string>>;
  readonly placed: (path: string) => string;
  readonly workingDir: (path: string) => string | undefined;
}

export type ProcessRow = KeyRow<ProcessContext>;

const VARIABLE = /\$\$|\$\{[A-Za-z_]\w*(?::-[^{}]*)?\}|\$[A-Za-z_]\w*/g;

/** Returns the text with variables replaced. A variable that is not set and has no default becomes empty. */
const expandedText = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(VARIABLE, (found) => {
    if (found === '$$') return '$';
    const [, name = '', fallback = ''] = /^\$\{?(\w+)(?::-([^}]*))?\}?$/.exec(found) ?? [];
    return ownValue(variables, name) || fallback;
  });

/** Returns the tree with variables replaced in all texts. */
export const expandedTree = (node: TreeNode, variables: Readonly<Record<string, string>>): TreeNode =>
  withTexts(node, (text) => expandedText(text, variables));

/** Returns the tree of a process with `{{.NAME}}` replaced by these values in all texts. */
export const filledTree = (node: TreeNode, vars: Readonly<Record<string, Plain>>): TreeNode =>
  withTexts(node, (text) =>
    text.replaceAll(/\{\{\s*\.(\w+)\s*\}\}/g, (found, name: string) =>
      Object.hasOwn(vars, name) ? textOf(vars[name]) : found,
    ),
  );

/** Returns the variables of a list of `A=b` items, or of a map. */
export const variablesOf = (value: Plain | undefined): Readonly<Record<string, string>> => {
  if (isPlainMap(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, textOf(each)]));
  return Object.fromEntries(
    (isList(value) ? value : []).map((each) => {
      const [, name = '', text = ''] = /^([^=]*)=?([^]*)$/.exec(textOf(each)) ?? [];
      return [name, text];
    }),
  );
};

/** Returns the times of a probe, with the defaults of process-compose. */
const timeKeys = (probe: Readonly<Record<string, Plain>>, ours: string): Readonly<Record<string, Plain>> => {
  const count = (key: string, standard: number): number => numberOf(probe[key]) || standard;
  const period = count('period_seconds', 10);
  const threshold = count('failure_threshold', 3);
  const total = count('initial_delay_seconds', 0) + period * threshold;
  return {
    [`${ours}.interval`]: `${period}s`,
    [`${ours}.attempt_timeout`]: `${count('timeout_seconds', 1)}s`,
    [`${ours}.retries`]: threshold,
    ...(!ours.endsWith('liveness') && { [`${ours}.total_timeout`]: `${total}s` }),
  };
};

/** Returns the keys of a probe below the key `ours`: what the probe runs or connects to, and how often. */
export const probeKeys = (value: Plain | undefined, ours: string): Translation => {
  const probe = isPlainMap(value) ? value : {};
  const [exec, http] = [probe['exec'], probe['http_get']];
  const notes = isPlainMap(http) ? httpNotes(http) : [];
  return {
    keys: {
      ...(isPlainMap(exec) && { [`${ours}.command`]: execLine(exec) }),
      ...(isPlainMap(http) && { [`${ours}.url`]: urlOf(http) }),
      ...timeKeys(probe, ours),
    },
    ...remarks(notes),
  };
};

type Table = Readonly<Record<string, Plain>>;

const execLine = (exec: Table): string => {
  const line = literalText(textOf(exec['command'] ?? ''));
  const directory = exec['working_dir'];
  return directory === undefined ? line : `cd ${shellWord(textOf(directory))} && ${line}`;
};

const urlOf = (http: Table): string => {
  const port = textOf(http['num_port'] ?? http['port'] ?? 80);
  const path = textOf(http['path'] ?? '/');
  const scheme = textOf(http['scheme'] ?? 'http').toLowerCase();
  return `${scheme}://${textOf(http['host'] ?? '127.0.0.1')}:${port}${path.startsWith('/') ? '' : '/'}${path}`;
};

const httpNotes = (http: Table): readonly string[] => [
  ...(http['headers'] === undefined ? [] : ['no headers are sent']),
  ...(http['status_code'] === undefined ? [] : ['any 2xx answer passes']),
];
