// Turns the tree of the settings file into settings. A wrong value gives a warning and its default; the other
// values apply (`docs/settings.md`, "What happens to the file").
import { DEFAULT_SETTINGS, type Settings } from '../../streams/domain/declared/settings.ts';
import { didYouMean } from '../../streams/views/nearest.ts';
import { ELEMENTS, ROOT, wholeNumber, type Element } from './elements.ts';
import { elementsOf, textOf, type Node, type Tree } from './xml.ts';

interface ReadSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/** `undefined` if the root is not that of a settings file. */

export const readElements = (tree: Tree): ReadSettings | undefined => {
  const [root, ...others] = elementsOf(tree);
  if (root?.name !== ROOT || others.length > 0) return undefined;
  const found = flat(root);
  const read = ELEMENTS.reduce<ReadSettings>(
    (sofar, element) => readElement(sofar, element, found.get(element.path) ?? []),
    { settings: DEFAULT_SETTINGS, warnings: [] },
  );
  return { ...read, warnings: [...read.warnings, ...strangers(found), ...attributes(root, ROOT)] };
};

type Found = ReadonlyMap<string, readonly Node[]>;
const GROUPS: ReadonlySet<string> = new Set(ELEMENTS.map(({ path }) => path.slice(0, path.indexOf('/'))));

/** Every element below the root by its path, with the elements of known groups. */
const flat = (root: Node): Found => {
  const found = new Map<string, Node[]>();
  const add = (path: string, node: Node): unknown => found.set(path, [...(found.get(path) ?? []), node]);
  for (const group of elementsOf(root.children))
    if (GROUPS.has(group.name))
      elementsOf(group.children).forEach((node) => add(`${group.name}/${node.name}`, node));
    else add(group.name, group);
  return found;
};

const readElement = (sofar: ReadSettings, element: Element, nodes: readonly Node[]): ReadSettings => {
  const { path, rule, accepts, put } = element;
  const warn = (what: string): ReadSettings => ({
    ...sofar,
    warnings: [...sofar.warnings, `${path}: ${what}; ${element.default} applies`],
  });
  const [node, ...more] = nodes;
  if (node === undefined) return sofar;
  if (more.length > 0) return warn('is given more than once');
  const text = textOf(node);
  const value = text === undefined ? undefined : wholeNumber(text);
  if (value === undefined || !accepts(value)) return warn(`"${text ?? '<…>'}" is not ${rule}`);
  return { ...sofar, settings: put(sofar.settings, value) };
};

const strangers = (found: Found): readonly string[] => {
  const known = ELEMENTS.map(({ path }) => path);
  return [...found.keys()]
    .filter((path) => !known.includes(path))
    .map((path) => {
      const likely = didYouMean(path, known);
      return `${path}: is not a setting${likely === undefined ? '' : `, ${likely}`}`;
    });
};

/** Warnings for the attributes of every element, known or not: no setting has one. */
const attributes = (node: Node, path: string): readonly string[] => [
  ...node.attributes.map((name) => `${path}: the attribute "${name}" is not a setting`),
  ...elementsOf(node.children).flatMap((child) =>
    attributes(child, path === ROOT ? child.name : `${path}/${child.name}`),
  ),
];
