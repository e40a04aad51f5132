// Which program a guardian brings back: after an upgrade it is not the one any more that it was told of (`sup-guardian`).
import { rmSync } from 'node:fs';
import { writeAtOnce } from '../../os/files/own-file.ts';
import { copyText } from '../../streams/upgrade/told.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { SupervisorOptions } from '../options.ts';
import { isCopy } from './kept-program.ts';
import { ownProgram, type Program } from './program.ts';

/** Nothing without a guardian: whoever runs the supervisor then knows one program. */
export const rememberProgram = (
  { dataDir, guarded }: Pick<SupervisorOptions, 'dataDir' | 'guarded'>,
  { node, script }: Program,
): void => {
  if (guarded === undefined) return;
  try {
    writeAtOnce(layoutOf(dataDir).successor, `${node}\n${script}\n`);
  } catch {
    // A full disk: the guardian begins the program that it knows.
  }
};

/** The first of a guardian is what that was told to begin. */
export const forgetProgram = (dataDir: string): void => rmSync(layoutOf(dataDir).successor, { force: true });

/** What `status` warns of: what is installed is not what works. */
export const copyWarnings = (dataDir: string): readonly string[] => {
  const { script } = ownProgram();
  return isCopy(script, layoutOf(dataDir).programs) ? [copyText(script)] : [];
};
