// Parses and indents the settings file. Entities are not expanded and a DOCTYPE is refused, so that no file
// can make the supervisor read another file or use up its memory.
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { messageOf } from '../../streams/domain/errors/thrown.ts';

/** The content of an element, in order, with comments, texts and the declaration. */
export type XmlTree = readonly XmlNode[];
export interface XmlNode {
  readonly name: string;
  readonly text?: string;
  /** The offset of the element in the text; absent for a text or comment inside an element. */
  readonly start?: number;
  /** The names of the element's attributes. */
  readonly attributes: readonly string[];
  readonly children: XmlTree;
}

type Parsed =
  | { readonly ok: true; readonly raw: unknown; readonly tree: XmlTree }
  | { readonly ok: false; readonly problem: string };

/** The key under which the XML parser stores attributes. */
const ATTRIBUTES = ':@';
const ATTRIBUTE_PREFIX = '@_';
const TEXT = '#text';
const CDATA = '#cdata';

const FORM = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE_PREFIX,
  processEntities: false,
  commentPropName: '#comment',
  cdataPropName: CDATA,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  captureMetaData: true,
} as const;

/** Returns the problem of an invalid file. Replaces the parser's message about a file with only comments. */
const problemIn = (error: unknown): string => {
  const said = messageOf(error);
  return said.startsWith('Start tag expected') ? 'there is no element in the file' : said;
};

export const parseXml = (text: string): Parsed => {
  const refuse = (problem: string): Parsed => ({ ok: false, problem });
  if (/<!DOCTYPE/i.test(text)) return refuse('a DOCTYPE is not accepted');
  if (text.trim() === '') return refuse('the file is empty');
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is a package of its own
    const raw: unknown = new XMLParser(FORM).parse(text, true);
    return { ok: true, raw, tree: treeOf(raw) };
  } catch (error) {
    return refuse(problemIn(error));
  }
};

/** Returns the XML document with one element per line. */
export const indented = (raw: unknown): string =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is a package of its own
  `${new XMLBuilder({ ...FORM, format: true, indentBy: '  ' }).build(raw).trim()}\n`;

const treeOf = (raw: unknown): XmlTree =>
  Array.isArray(raw) ? raw.flatMap((item: unknown) => (isObject(item) ? [nodeOf(item)] : [])) : [];

const META_DATA = XMLParser.getMetaDataSymbol();

/** Returns the offset of an element. The parser stores it in a property that has a symbol as its key. */
const startOf = (item: object): Pick<XmlNode, 'start'> => {
  const kept: unknown = Object.getOwnPropertySymbols(item).includes(META_DATA as symbol)
    ? Reflect.get(item, META_DATA as symbol)
    : undefined;
  const start: unknown = isObject(kept) ? Reflect.get(kept, 'startIndex') : undefined;
  return typeof start === 'number' ? { start } : {};
};

const nodeOf = (item: object): XmlNode => {
  const entries = Object.entries(item);
  const [name = '', content] = entries.find(([key]) => key !== ATTRIBUTES) ?? [];
  if (name === TEXT) return { name, text: String(content), attributes: [], children: [] };
  const [, given] = entries.find(([key]) => key === ATTRIBUTES) ?? [];
  const attributes = isObject(given)
    ? Object.keys(given).map((key) => key.slice(ATTRIBUTE_PREFIX.length))
    : [];
  return { name, ...startOf(item), attributes, children: treeOf(content) };
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the elements without comments, texts and the declaration. */
export const elementsOf = (tree: XmlTree): XmlTree => tree.filter(({ name }) => /^[^#?]/.test(name));

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const referred = (reference: string, name: string): string => {
  const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? reference) : reference;
};

/** Replaces character references such as `&#49;` and `&amp;`. Other entities stay as they are. */
const withReferences = (text: string): string => text.replace(/&(#?\w+);/g, referred);

const plain = ({ text = '' }: XmlNode): string => text;

/** Returns the text inside an element, unless it contains other elements. */
export const textOf = ({ children }: XmlNode): string | undefined =>
  elementsOf(children).length > 0
    ? undefined
    : children
        .map((child) => {
          if (child.name === TEXT) return withReferences(plain(child));
          return child.name === CDATA ? child.children.map(plain).join('') : '';
        })
        .join('');
