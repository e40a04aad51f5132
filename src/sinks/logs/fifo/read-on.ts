// Reads on the output that a dead supervisor left, and retries until that works. Otherwise its service would
// block as soon as the FIFO is full.
import { closeSync } from 'node:fs';
import { refusalText } from '../../../os/errno.ts';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import type { OnTrouble } from '../trouble.ts';
import type { Channel } from './channel.ts';

const READ_AGAIN_MS = 1_000;

export interface LeftOutput {
  readonly fifo: string;
  readonly id: ServiceId;
  readonly onTrouble: OnTrouble;
  /** Throws while too few descriptors are free. */
  readonly checkRoom: () => void;
  /** Called when it cannot be read for now. */
  readonly missed: () => void;
  /** Tries once more. */
  readonly again: () => void;
}

export const readOn = (
  channel: Channel,
  { fifo, id, onTrouble, checkRoom, missed, again }: LeftOutput,
): void => {
  try {
    checkRoom();
    closeSync(channel.attach(fifo));
  } catch (error) {
    missed();
    onTrouble(`${fifo} of ${id} cannot be read on (${refusalText(error)})`);
    setTimeout(again, READ_AGAIN_MS).unref();
  }
};
