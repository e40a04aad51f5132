// The message to the user after the supervisor's process has executed another program.
import type { Hello } from '../../streams/wire/protocol.ts';

/** Returns a sentence about the upgrade; after a failed upgrade, the message of the old program. */
export const upgradedText = ({ version, pid, resumed }: Hello): string =>
  resumed ?? `the supervisor was upgraded: it is sup ${version} now, pid ${pid} as before`;
