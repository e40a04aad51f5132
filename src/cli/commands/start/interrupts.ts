// Ctrl-C, twice: the first requests a stop, the second exits at once.
import { EXIT } from '../../../streams/wire/exit-status.ts';
import type { World } from '../../world.ts';

export interface Interrupts {
  /** Settles at the first SIGINT or SIGTERM. */
  readonly asked: Promise<void>;
  readonly wasAsked: () => boolean;
  readonly dispose: () => void;
}

export const interrupts = ({ onInterrupt, leave }: Pick<World, 'onInterrupt' | 'leave'>): Interrupts => {
  let dispose = (): void => undefined;
  let times = 0;
  const asked = new Promise<void>((settle) => {
    dispose = onInterrupt(() => {
      times += 1;
      if (times === 1) settle();
      else leave(EXIT.interrupted);
    });
  });
  return { asked, wasAsked: () => times > 0, dispose };
};
