// Installs programs from Debian packages that a measurement needs.
import { command, succeed } from './command.ts';

interface Wanted {
  readonly program: string;
  /** Name of the package. */
  readonly from: string;
}

const isThere = async (program: string): Promise<boolean> =>
  (await command(['/bin/sh', '-c', `PATH="$PATH:/usr/sbin"; command -v ${program}`])).status === 0;

/** Installs the program if it is missing. Rejects with the reason if that fails. */
export const ensured = async ({ program, from }: Wanted): Promise<void> => {
  if (await isThere(program)) return;
  if (process.getuid?.() !== 0) throw new Error(`${program} is not installed, and installing it needs root`);
  await succeed(['apt-get', 'install', '-y', '--no-install-recommends', from], { limitMs: 180_000 });
};
