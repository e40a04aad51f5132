// Appends to a file of whole lines, whole or not at all.
import { open } from 'node:fs/promises';

const PRIVATE = 0o600;

/** Makes the file where it is missing. Rejects when not all of it is there; then nothing of it is, so far as it can be cut off. */
export const appendWhole = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'a', PRIVATE);
  try {
    const { size } = await file.stat();
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
