// What the console said → what failed. A machine that fell silent has failed.
import type { Scene } from '../guest/scene.ts';

/** What the kernel says when its first process ends: with which status. */
const ENDED = /Attempted to kill init! exitcode=(0x[0-9a-f]+)/;

const orderlyEnd = (lines: readonly string[]): readonly string[] => {
  const [, status] = ENDED.exec(lines.join('\n')) ?? [];
  const [web, db] = ['vm: web stops', 'vm: db stops'].map((said) => lines.indexOf(said));
  return [
    ...(status === '0x00000000'
      ? []
      : [`process 1 did not end with 0 after TERM (${status ?? 'not at all'})`]),
    ...(web !== undefined && db !== undefined && web !== -1 && web < db
      ? []
      : ['process 1 did not stop web, then db, after TERM']),
  ];
};

/** One sentence each; none: all passed. */
export const judge = (scene: Scene, lines: readonly string[], end: string): readonly string[] => {
  const tried = lines.filter((line) => /^(not )?ok - /.test(line)).length;
  const told = lines.find((line) => line.startsWith(end));
  const failed = lines.filter((line) => line.startsWith('not ok - '));
  return [
    ...failed.map((line) => line.slice('not ok - '.length)),
    ...(told === `${end} ${tried}` && tried > 0
      ? []
      : [`the checks did not come to their end (${tried} tried)`]),
    ...(scene === 'process-1' ? orderlyEnd(lines) : []),
  ].map((sentence) => `${scene}: ${sentence}`);
};
