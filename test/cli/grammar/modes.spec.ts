import { describe, expect, it } from 'vitest';
import { readLine } from '../../../src/cli/grammar/read-line.ts';

describe('an option that selects another mode of a command', () => {
  it.each([
    ['logs --path -f', 'ERR0204: --path and --follow exclude each other'],
    ['logs --grep x --path', 'ERR0204: --path and --grep exclude each other'],
    ['logs --supervisor --stream stdout', 'ERR0204: --supervisor and --stream exclude each other'],
    ['logs --supervisor -s web', 'ERR0204: --supervisor and --service exclude each other'],
    ['logs --prune --max-age 7d --since 1h', 'ERR0204: --prune and --since exclude each other'],
    ['logs -f --until 1m', 'ERR0204: --follow and --until exclude each other'],
    ['events --until 1m -f', 'ERR0204: --follow and --until exclude each other'],
    ['logs --supervisor -f --until 1m', 'ERR0204: --follow and --until exclude each other'],
    ['logs --json --no-time', 'ERR0204: --json and --no-time exclude each other'],
    ['logs --raw --json', 'ERR0204: --json and --raw exclude each other'],
    ['logs --clear web -n 5', 'ERR0204: --clear and --lines exclude each other'],
    ['purge --all --logs', 'ERR0204: --all and --logs exclude each other'],
    ['logs --yes web', 'ERR0200: --yes belongs to --clear'],
    ['logs --max-size 1G', 'ERR0200: --max-size belongs to --prune'],
  ])('a mode refuses options that it does not use: sup %s', (line, message) => {
    expect(() => readLine(line.split(' '))).toThrow(message);
  });

  it.each([
    'logs -f --since 1h --json web',
    'logs --path --json -p shop',
    'logs --supervisor -f -n 5 --since 1h --raw --no-color',
    'logs --prune --max-age 7d --max-size 1G web -q',
    'logs --clear web --yes --json',
  ])('a mode takes the others: sup %s', (line) => {
    expect(readLine(line.split(' '))).toMatchObject({ tag: 'parsed', parsed: { command: 'logs' } });
  });
});
