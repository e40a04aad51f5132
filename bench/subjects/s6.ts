// s6-log, from Debian's `s6` package: no supervisor here, but the reference for writing logs.
import { command, succeed } from '../measure/command.ts';

export const installS6 = async (): Promise<undefined> => {
  if ((await command(['/bin/sh', '-c', 'command -v s6-log'])).status === 0) return undefined;
  if (process.getuid?.() !== 0) throw new Error('it is not installed, and installing it needs root');
  await succeed(['apt-get', 'install', '-y', '--no-install-recommends', 's6'], { limitMs: 180_000 });
  return undefined;
};
