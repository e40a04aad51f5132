// What a user reads when the supervisor has executed another program.
import type { Hello } from '../../streams/wire/protocol.ts';

/** Returns a sentence about the upgrade. A failed one was explained by the old program. */
export const upgradedText = ({ version, pid, resumed }: Hello): string =>
  resumed ?? `the supervisor was upgraded: it is sup ${version} now, pid ${pid} as before`;
