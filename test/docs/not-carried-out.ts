// The keys that are not carried out, as docs/manifest.md lists them.
import { NOT_CARRIED_OUT, type NotCarriedOut } from '../../src/manifest/check/ignored-keys.ts';

const where = ({ in: place }: NotCarriedOut): string => (place === 'manifest' ? 'the manifest' : 'a service');

const keyWith = ({ key, unless: [least] = [], beside }: NotCarriedOut): string =>
  [
    `\`${key}\`${beside === undefined ? '' : ` ${beside.told}`}`,
    ...(least === undefined ? [] : [`unless \`${least}\``]),
  ].join(', ');

const row = (each: NotCarriedOut): string =>
  `| ${keyWith(each)} | ${where(each)} | warns (${each.code}) | ${each.told} |`;

/** One line per key. */
export const notCarriedOutLines = (): readonly string[] => [
  '| Key | Of | Version 2 | What is said |',
  '|---|---|---|---|',
  ...NOT_CARRIED_OUT.map(row),
];
