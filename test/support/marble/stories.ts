// All stories, as they lie in marbles/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMarble } from './parse.ts';
import type { Story } from './story.ts';

/** Paths relative to marbles/, in order. */
export const storyFiles = (): readonly string[] =>
  readdirSync('marbles', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.marble'))
    .sort();

export const storyText = (file: string): string => readFileSync(join('marbles', file), 'utf8');

export const readStory = (file: string): Story => parseMarble(storyText(file), file);
