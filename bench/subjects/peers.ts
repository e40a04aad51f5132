// The peers that were asked for, installed on demand; one that cannot be had is said and left out.
import type { Tool } from './subject.ts';
import { installPm2 } from './pm2.ts';
import { installSupervisord } from './supervisord.ts';

/** Resolves to the tool; rejects with why it cannot be had. */
export type Install = (scratch: string) => Promise<Tool>;

const PEERS: ReadonlyMap<string, Install> = new Map([
  ['pm2', installPm2],
  ['supervisord', installSupervisord],
]);

interface Wanted {
  readonly names: readonly string[];
  readonly scratch: string;
  readonly say: (text: string) => void;
}

export const peers = async ({ names, scratch, say }: Wanted): Promise<readonly Tool[]> => {
  const found: Tool[] = [];
  for (const name of names) {
    const install = PEERS.get(name);
    if (install === undefined) throw new Error(`--peer ${name}: not one of ${[...PEERS.keys()].join(', ')}`);
    try {
      found.push(await install(scratch));
    } catch (error) {
      say(`${name} is left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
};
