// Programs that a measurement needs beside ours, from Debian's packages.
import { command, succeed } from './command.ts';

interface Wanted {
  readonly program: string;
  /** Its name among the packages. */
  readonly from: string;
}

const isThere = async (program: string): Promise<boolean> =>
  (await command(['/bin/sh', '-c', `PATH="$PATH:/usr/sbin"; command -v ${program}`])).status === 0;

/** Installs it where it is missing; rejects with why that cannot be. */
export const ensured = async ({ program, from }: Wanted): Promise<void> => {
  if (await isThere(program)) return;
  if (process.getuid?.() !== 0) throw new Error(`${program} is not installed, and installing it needs root`);
  await succeed(['apt-get', 'install', '-y', '--no-install-recommends', from], { limitMs: 180_000 });
};
