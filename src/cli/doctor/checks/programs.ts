// Node, the package that speaks to the C library, and whether sup need not be compiled when it starts.
import { dirname } from 'node:path';
import { INSTALL_FFI, openLibc } from '../../../os/libc.ts';
import {
  judgeCodeCache,
  judgeFfi,
  judgeNode,
  judgeTrust,
  judgeWalls,
  type Strange,
} from '../../../streams/doctor/programs.ts';
import { mendProgram, MEND_PATH, untrustedPath, untrustedProgram } from '../../starting/own-trust.ts';
import type { World } from '../../world.ts';
import type { Check } from '../check.ts';

const strange = ({ supervisor: script, environment }: World): Strange => {
  const program = untrustedProgram({ node: process.execPath, script });
  const path = untrustedPath(environment['PATH'] ?? '');
  return { found: [...program, ...path], mend: program.length > 0 ? mendProgram(script) : MEND_PATH };
};

export const programs: Check = {
  name: 'programs',
  look: ({ world, sys }) => {
    const opened = openLibc();
    const absence = opened.tag === 'absent' ? opened.detail : undefined;
    const build = `npm run build, in ${dirname(dirname(world.supervisor))}, by the Node that runs it`;
    return Promise.resolve([
      judgeNode(process.version),
      judgeFfi(absence, INSTALL_FFI),
      judgeWalls(absence, INSTALL_FFI),
      judgeCodeCache(world.codeCache, build),
      ...(sys ? [judgeTrust(strange(world))] : []),
    ]);
  },
};
