// The settings file as text: read into a tree, written back in indented form. Entities stay as they are written and a
// DOCTYPE is refused, so that no file can make the supervisor read another or fill its memory.
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { messageOf } from '../../streams/domain/thrown.ts';

/** An element: its name, and what it holds in order. Comments, texts and the XML declaration are nodes too. */
export type Tree = readonly Node[];
export interface Node {
  readonly name: string;
  readonly text?: string;
  readonly children: Tree;
}

type Parsed =
  | { readonly ok: true; readonly raw: unknown; readonly tree: Tree }
  | { readonly ok: false; readonly problem: string };

const FORM = {
  preserveOrder: true,
  ignoreAttributes: false,
  processEntities: false,
  commentPropName: '#comment',
  cdataPropName: '#cdata',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
} as const;
/** What a node carries beside its name in the parser's own form. */
const ATTRIBUTES = ':@';
const TEXT = '#text';

export const parseXml = (text: string): Parsed => {
  const refuse = (problem: string): Parsed => ({ ok: false, problem });
  if (/<!DOCTYPE/i.test(text)) return refuse('a DOCTYPE is not accepted');
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is a package of its own
    const raw: unknown = new XMLParser(FORM).parse(text, true);
    return { ok: true, raw, tree: treeOf(raw) };
  } catch (error) {
    return refuse(messageOf(error));
  }
};

/** The same document, one element a line. */
export const indented = (raw: unknown): string =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is a package of its own
  `${new XMLBuilder({ ...FORM, format: true, indentBy: '  ' }).build(raw).trim()}\n`;

const treeOf = (raw: unknown): Tree =>
  Array.isArray(raw) ? raw.flatMap((item: unknown) => (isObject(item) ? [nodeOf(item)] : [])) : [];

const nodeOf = (item: object): Node => {
  const [name = '', content] = Object.entries(item).find(([key]) => key !== ATTRIBUTES) ?? [];
  if (name === TEXT) return { name, text: String(content), children: [] };
  return { name, children: treeOf(content) };
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Comments and the like say nothing to the supervisor. */
export const elementsOf = (tree: Tree): Tree => tree.filter(({ name }) => /^[^#?]/.test(name));

/** What an element says, when it holds nothing but text. */
export const textOf = ({ children }: Node): string | undefined =>
  elementsOf(children).length > 0
    ? undefined
    : children
        .filter(({ name }) => name === TEXT)
        .map(({ text = '' }) => text)
        .join('');
