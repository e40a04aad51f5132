// Which program a guardian restarts: after an upgrade it is no longer the one that it was started with
// (`sup-guardian`).
import { rmSync } from 'node:fs';
import { writeAtOnce } from '../../os/files/own-file.ts';
import { copyText } from '../../streams/upgrade/handover.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { SupervisorOptions } from '../options.ts';
import { isCopy } from './kept-program.ts';
import { ownProgram, type Program } from './program.ts';

/** Records the program for the guardian. Does nothing without one: other parents know one program. */
export const rememberProgram = (
  { dataDir, guarded }: Pick<SupervisorOptions, 'dataDir' | 'guarded'>,
  { node, script }: Program,
): void => {
  if (guarded === undefined) return;
  try {
    writeAtOnce(layoutOf(dataDir).successor, `${node}\n${script}\n`);
  } catch {
    // On a full disk the guardian starts the program that it knows.
  }
};

/** Removes the record: a guardian's first supervisor is the program that it was given. */
export const forgetProgram = (dataDir: string): void => rmSync(layoutOf(dataDir).successor, { force: true });

/** Returns a warning for `status` if the installed program is not the running one. */
export const copyWarnings = (dataDir: string): readonly string[] => {
  const { script } = ownProgram();
  return isCopy(script, layoutOf(dataDir).programs) ? [copyText(script)] : [];
};
