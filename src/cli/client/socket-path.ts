// Where the supervisor of a data directory listens, and which process it said it is.
import { readAtOnce } from '../../os/files/own-file.ts';
import { layoutOf } from '../../streams/wire/layout.ts';

const firstLine = (file: string): string | undefined => {
  try {
    return readAtOnce(file).toString().trim() || undefined;
  } catch {
    return undefined;
  }
};

/** The pointer file's word, where there is one (the data directory's path is too long for a socket). */
export const controlSocketOf = (dataDir: string): string => {
  const layout = layoutOf(dataDir);
  return firstLine(layout.socketPointer) ?? layout.socket;
};

export const recordedPid = (dataDir: string): number | undefined => {
  const pid = Number(firstLine(layoutOf(dataDir).pid));
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
};
