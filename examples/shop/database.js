// The shop's database: one JSON file, replaced as a whole so that a reader never sees half of it.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const file = process.env.DATABASE ?? '.data/shop.json';

export const read = () => JSON.parse(readFileSync(file, 'utf8'));

export const readOr = (otherwise) => {
  try {
    return read();
  } catch (error) {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  }
};

export const write = (content) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`);
  renameSync(`${file}.new`, file);
};
