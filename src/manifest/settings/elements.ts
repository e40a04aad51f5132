// The elements of `supervisor.xml`, one row each; a test compares them with `docs/settings.md`. A wrong value
// becomes the default, with a warning (`docs/settings.md`, "What happens to the file").
import { elementsOf, textOf, type XmlNode, type XmlTree } from './xml.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../streams/domain/declared/settings.ts';
import { ms } from '../../streams/domain/time.ts';
import { didYouMean } from '../../streams/views/nearest.ts';

interface Element {
  /** Path of the element below the root element. */
  readonly path: string;
  readonly default: number;
  /** The rule for the value in words, for the warning about a wrong value. */
  readonly rule: string;
  readonly accepts: (value: number) => boolean;
  /** Returns a copy of the settings in which this setting has the value. */
  readonly put: (settings: Settings, value: number) => Settings;
}

/** The largest value of a setting: far more than needed, and still exact in milliseconds. */
const MOST = 1_000_000_000_000;

const from = (least: number): Pick<Element, 'rule' | 'accepts'> => ({
  rule: `a whole number from ${least}`,
  accepts: (value) => value >= least && value <= MOST,
});

/** Returns the row for an element inside `logs`. */
const ofLogs = (path: string, key: keyof Settings['logs']): Element => ({
  path,
  default: DEFAULT_SETTINGS.logs[key],
  ...from(0),
  put: (settings, value) => ({ ...settings, logs: { ...settings.logs, [key]: value } }),
});

type Times = 'preStart' | 'startupStability' | 'stopVerify' | 'startSettle' | 'commandWait';

/** Returns the row for a time, in the unit at the end of its path (`_ms` or `_secs`). */
const time = (path: string, key: Times, least: number): Element => {
  const unit = path.endsWith('_ms') ? 1 : 1000;
  return {
    path,
    default: DEFAULT_SETTINGS[key] / unit,
    ...from(least),
    put: (settings, value) => ({ ...settings, [key]: ms(value * unit) }),
  };
};

export const ELEMENTS: readonly Element[] = [
  ofLogs('logs/max_bytes', 'maxBytes'),
  ofLogs('logs/max_files', 'maxFiles'),
  ofLogs('logs/total_max_bytes', 'totalMaxBytes'),
  time('timeouts/pre_start_secs', 'preStart', 1),
  time('timeouts/startup_stability_ms', 'startupStability', 0),
  time('timeouts/stop_verify_secs', 'stopVerify', 1),
  time('timeouts/start_settle_secs', 'startSettle', 1),
  time('timeouts/command_wait_secs', 'commandWait', 0),
  {
    path: 'start/max_concurrent',
    default: DEFAULT_SETTINGS.maxConcurrent,
    rule: '-1 (no limit) or a whole number from 1',
    accepts: (value) => value === -1 || from(1).accepts(value),
    put: (settings, maxConcurrent) => ({ ...settings, maxConcurrent }),
  },
];

export const ROOT = 'supervisor';

/** Returns the number if the text is a whole decimal number; otherwise `undefined`. */
export const wholeNumber = (text: string): number | undefined => {
  const trimmed = text.trim();
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
};

/** Something in the file that is ignored, at an offset in its text. */
export interface Ignored {
  readonly says: string;
  readonly at: number;
}

interface ReadSettings {
  readonly settings: Settings;
  readonly ignored: readonly Ignored[];
}

/** Returns the settings in the tree; `undefined` if it is not the tree of a settings file. */
export const readElements = (tree: XmlTree): ReadSettings | undefined => {
  const [root, ...others] = elementsOf(tree);
  if (root?.name !== ROOT || others.length > 0) return undefined;
  const found = flat(root);
  const read = ELEMENTS.reduce<ReadSettings>(
    (sofar, element) => readElement(sofar, element, found.get(element.path) ?? []),
    { settings: DEFAULT_SETTINGS, ignored: [] },
  );
  return { ...read, ignored: [...read.ignored, ...strangers(found), ...attributes(root, ROOT)] };
};

type Found = ReadonlyMap<string, readonly XmlNode[]>;
const GROUPS: ReadonlySet<string> = new Set(ELEMENTS.map(({ path }) => path.slice(0, path.indexOf('/'))));

/** Returns the elements by path. A child of the root that is no known group has its name as path. */
const flat = (root: XmlNode): Found => {
  const found = new Map<string, XmlNode[]>();
  const add = (path: string, node: XmlNode): unknown => found.set(path, [...(found.get(path) ?? []), node]);
  for (const group of elementsOf(root.children))
    if (GROUPS.has(group.name))
      elementsOf(group.children).forEach((node) => add(`${group.name}/${node.name}`, node));
    else add(group.name, group);
  return found;
};

const readElement = (sofar: ReadSettings, element: Element, nodes: readonly XmlNode[]): ReadSettings => {
  const { path, rule, accepts, put } = element;
  const [node, again] = nodes;
  if (node === undefined) return sofar;
  const warn = (what: string, { start = 0 }: XmlNode = node): ReadSettings => ({
    ...sofar,
    ignored: [...sofar.ignored, { says: `${path}: ${what}; ${element.default} applies`, at: start }],
  });
  if (again !== undefined) return warn('is given more than once', again);
  const text = textOf(node);
  const value = text === undefined ? undefined : wholeNumber(text);
  if (value === undefined || !accepts(value)) return warn(`"${text ?? '<…>'}" is not ${rule}`);
  return { ...sofar, settings: put(sofar.settings, value) };
};

const strangers = (found: Found): readonly Ignored[] => {
  const known = ELEMENTS.map(({ path }) => path);
  return [...found]
    .filter(([path]) => !known.includes(path))
    .map(([path, [node]]) => {
      const likely = didYouMean(path, known);
      const says = `${path}: is not a setting${likely === undefined ? '' : `, ${likely}`}`;
      return { says, at: node?.start ?? 0 };
    });
};

/** Returns a warning for each attribute, because no setting has attributes. */
const attributes = (node: XmlNode, path: string): readonly Ignored[] => [
  ...node.attributes.map((name) => ({
    says: `${path}: the attribute "${name}" is not a setting`,
    at: node.start ?? 0,
  })),
  ...elementsOf(node.children).flatMap((child) =>
    attributes(child, path === ROOT ? child.name : `${path}/${child.name}`),
  ),
];
