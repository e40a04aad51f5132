// Appends to a file of whole lines, whole or not at all.
import { open, type FileHandle } from 'node:fs/promises';
import { APPEND_OWN, notOursToWrite } from './own-file.ts';

const PRIVATE = 0o600;

const sizeOf = async (file: FileHandle, path: string): Promise<number> => {
  const found = await file.stat();
  const trouble = notOursToWrite(found);
  if (trouble !== undefined) throw new Error(`${path} is not appended to: ${trouble}`);
  return found.size;
};

/**
 * Makes the file where it is missing. Rejects when not all of it is there; then nothing of it is, so far as it can be cut off.
 * A link, a FIFO, and a file that is another user's or has a second name are refused.
 */
export const appendWhole = async (path: string, text: string): Promise<void> => {
  const file = await open(path, APPEND_OWN, PRIVATE);
  try {
    const size = await sizeOf(file, path);
    try {
      await file.writeFile(text);
    } catch (error) {
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
  } finally {
    await file.close();
  }
};
