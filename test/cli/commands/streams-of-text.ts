// Catches what a command writes.
import type { Output } from '../../../src/cli/manifest-argument.ts';

export interface Caught extends Output {
  readonly written: { stdout: string; stderr: string };
}

export const catching = (color = false): Caught => {
  const written = { stdout: '', stderr: '' };
  return {
    color,
    written,
    stdout: (text) => (written.stdout += text),
    stderr: (text) => (written.stderr += text),
  };
};
