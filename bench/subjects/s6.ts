// s6-log from Debian's package `s6`: the reference for writing logs.
import { ensured } from '../measure/debian.ts';

export const installS6 = async (): Promise<undefined> => {
  await ensured({ program: 's6-log', from: 's6' });
  return undefined;
};
