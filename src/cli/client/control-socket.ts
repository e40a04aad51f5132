// Where the supervisor of a data directory listens, and which pid it recorded.
import { readAtOnce } from '../../os/files/own-file.ts';
import { layoutOf } from '../../streams/wire/layout.ts';

const firstLine = (file: string): string | undefined => {
  try {
    return readAtOnce(file).toString().trim() || undefined;
  } catch {
    return undefined;
  }
};

/** Returns the path in the pointer file, if there is one: the data directory's path may be too long. */
export const controlSocketOf = (dataDir: string): string => {
  const layout = layoutOf(dataDir);
  return firstLine(layout.socketPointer) ?? layout.socket;
};

export const recordedPid = (dataDir: string): number | undefined => {
  const pid = Number(firstLine(layoutOf(dataDir).pid));
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
};
