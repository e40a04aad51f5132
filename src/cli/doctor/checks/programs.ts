// Node, the package that speaks to the C library, and whether sup need not be compiled when it starts.
import { dirname } from 'node:path';
import { INSTALL_FFI, openLibc } from '../../../os/libc.ts';
import { judgeCodeCache, judgeFfi, judgeNode, judgeWalls } from '../../../streams/doctor/programs.ts';
import type { Check } from '../check.ts';

export const programs: Check = {
  name: 'programs',
  look: ({ world }) => {
    const opened = openLibc();
    const absence = opened.tag === 'absent' ? opened.detail : undefined;
    const build = `npm run build, in ${dirname(dirname(world.supervisor))}, by the Node that runs it`;
    return Promise.resolve([
      judgeNode(process.version),
      judgeFfi(absence, INSTALL_FFI),
      judgeWalls(absence, INSTALL_FFI),
      judgeCodeCache(world.codeCache, build),
    ]);
  },
};
