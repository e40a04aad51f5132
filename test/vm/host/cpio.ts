// An archive as the kernel unpacks it into its first root: cpio, "newc" (Documentation/driver-api/early-userspace).
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

export type Entry =
  | { readonly tag: 'directory'; readonly path: string; readonly mode?: number }
  | { readonly tag: 'link'; readonly path: string; readonly target: string }
  | { readonly tag: 'device'; readonly path: string; readonly major: number; readonly minor: number }
  | { readonly tag: 'text'; readonly path: string; readonly text: string; readonly mode?: number }
  | { readonly tag: 'copy'; readonly path: string; readonly from: string; readonly mode?: number };

const KIND = {
  directory: 0o040000,
  link: 0o120000,
  device: 0o020000,
  text: 0o100000,
  copy: 0o100000,
} as const;

const END: Entry = { tag: 'text', path: '/TRAILER!!!', text: '' };

const contentOf = (entry: Entry): Buffer => {
  if (entry.tag === 'link') return Buffer.from(entry.target);
  if (entry.tag === 'text') return Buffer.from(entry.text);
  return entry.tag === 'copy' ? readFileSync(entry.from) : Buffer.alloc(0);
};

const modeOf = (entry: Entry): number => {
  const standard = entry.tag === 'directory' || entry.tag === 'link' ? 0o755 : 0o644;
  return KIND[entry.tag] | ('mode' in entry ? (entry.mode ?? standard) : standard);
};

const hex = (number: number): string => number.toString(16).padStart(8, '0');

const padding = (length: number): Buffer => Buffer.alloc((4 - (length % 4)) % 4);

const headerOf = (entry: Entry, inode: number, size: number): Buffer => {
  const name = `${entry.path.replace(/^\//, '')}\0`;
  const [major, minor] = entry.tag === 'device' ? [entry.major, entry.minor] : [0, 0];
  const fields = [inode, modeOf(entry), 0, 0, 1, 0, size, 0, 0, major, minor, name.length, 0];
  const header = Buffer.from(`070701${fields.map(hex).join('')}${name}`);
  return Buffer.concat([header, padding(header.length)]);
};

/** Everything belongs to root. A directory has to come before what is in it. */
export const writeArchive = (file: string, entries: readonly Entry[]): void => {
  const descriptor = openSync(file, 'w');
  try {
    [...entries, END].forEach((entry, at) => {
      const content = contentOf(entry);
      writeSync(descriptor, headerOf(entry, at + 1, content.length));
      writeSync(descriptor, Buffer.concat([content, padding(content.length)]));
    });
  } finally {
    closeSync(descriptor);
  }
};
