// Appends whole lines to a file, completely or not at all.
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
 * Creates the file if it is missing. On failure it truncates the file to its old size if it can, and rejects.
 * Refuses a link, a FIFO, a file of another user, and a file with a second name.
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
