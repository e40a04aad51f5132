// Why a service was skipped, in words.
import type { DownReason } from '../../domain/service/service.ts';
import { nameOf } from '../../domain/ids.ts';

/** In words: `manifest` and `command` are its own `skip`, anything else is a dependency. */
export const skippedText = (by: Extract<DownReason, { tag: 'skipped' }>['by']): string => {
  if (by === 'manifest') return 'skip is true in the manifest';
  if (by === 'command') return 'its skip command succeeded';
  return `its dependency ${nameOf(by)} is skipped`;
};
