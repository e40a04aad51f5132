// Log files written the way the supervisor writes them, in a directory of the test's own.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LogEntry } from '../../../../src/streams/wire/log-line.ts';

export const temporary = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-read-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

/** A log line of the minute `minute`. */
export const line = (text: string, minute = 0, stream = 'stdout'): string =>
  `2026-11-21T05:${String(minute).padStart(2, '0')}:00.000000Z ${stream} ${text}\n`;

export const write = (path: string, ...lines: readonly string[]): void => {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, lines.join(''));
};

export const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => line(String(from + at)));

export const texts = (entries: readonly LogEntry[]): string[] => entries.map(({ text }) => text);
