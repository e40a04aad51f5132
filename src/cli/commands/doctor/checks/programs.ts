// Node, the addon that calls the C library, and whether sup has a code cache.
import { dirname } from 'node:path';
import { INSTALL_FFI, openLibc } from '../../../../os/libc/libc.ts';
import {
  judgeCodeCache,
  judgeFfi,
  judgeNode,
  judgeTrust,
  judgeWalls,
  type Strange,
} from '../../../../streams/doctor/programs.ts';
import {
  mendProgram,
  MEND_PATH,
  untrustedPath,
  untrustedProgram,
} from '../../../../supervisor/loader/own-trust.ts';
import { undoneText } from '../../../../streams/views/words/undone-text.ts';
import { readRecorded } from '../../../offline/recorded.ts';
import { callsOf, type Calls } from '../calls.ts';
import type { World } from '../../../world.ts';
import type { Check } from '../check.ts';

const strange = ({ supervisor: script, environment }: World): Strange => {
  const program = untrustedProgram({ node: process.execPath, script });
  const path = untrustedPath(environment['PATH'] ?? '');
  return { found: [...program, ...path], mend: program.length > 0 ? mendProgram(script) : MEND_PATH };
};

/** How to get calls: the next supervisor finds an addon that was installed since. */
const mendCalls = ({ absence, isRunning }: Calls): string =>
  isRunning && absence !== undefined && openLibc().tag === 'open'
    ? 'sup shutdown, then sup start: the next supervisor finds the addon'
    : INSTALL_FFI;

export const programs: Check = {
  name: 'programs',
  look: async (context) => {
    const { world, sys } = context;
    const calls = await callsOf(context);
    const specs = readRecorded(context).services.map(({ spec }) => spec);
    const mend = mendCalls(calls);
    const build = `npm run build, in ${dirname(dirname(world.supervisor))}, by the Node that runs it`;
    return [
      judgeNode(process.version),
      judgeFfi(calls.absence, { mend, undone: undoneText(specs, sys) }),
      judgeWalls(calls.absence, mend),
      judgeCodeCache(world.codeCache, build),
      ...(sys ? [judgeTrust(strange(world))] : []),
    ];
  },
};
