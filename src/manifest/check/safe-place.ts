// Ensures that a supervisor with `--sys` writes only to paths that no other user can redirect (ERR0219). A
// path is checked when the manifest is loaded and again before each write, because directories may change.
import { SAFE_PLACE, troubleForWriting } from '../../os/files/trusted-directories.ts';
import { reportAt, type DecodeContext, type Spot } from '../decode/shapes/decoder.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';

const troubleWith = (path: string): string | undefined => {
  try {
    return troubleForWriting(path, { sys: true });
  } catch (error) {
    return messageOf(error);
  }
};

/**
 * With `--sys`, refuses an absolute path that the supervisor will write and that another user can redirect.
 */
export const refuseUnsafePlace = (path: string, spot: Spot, context: DecodeContext): void => {
  if (!context.reader.sys) return;
  const trouble = troubleWith(path);
  if (trouble === undefined) return;
  reportAt(spot, context, {
    code: 'ERR0219',
    message: `root does not write to this path: ${trouble}`,
    hint: SAFE_PLACE,
  });
};
