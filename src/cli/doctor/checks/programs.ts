// Node, and the package that speaks to the C library.
import { INSTALL_FFI, openLibc } from '../../../os/libc.ts';
import { judgeFfi, judgeNode } from '../../../streams/doctor/programs.ts';
import type { Check } from '../check.ts';

export const programs: Check = {
  name: 'programs',
  look: () => {
    const opened = openLibc();
    const absence = opened.tag === 'absent' ? opened.detail : undefined;
    return Promise.resolve([judgeNode(process.version), judgeFfi(absence, INSTALL_FFI)]);
  },
};
