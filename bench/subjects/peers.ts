// Installs the requested peers. A peer that is not available is reported and omitted.
import type { Tool } from './subject.ts';
import { installPm2 } from './pm2.ts';
import { installS6 } from './s6.ts';
import { installSupervisord } from './supervisord.ts';

/**
 * Installs a peer. Resolves to the tool, or to `undefined` if it is only the reference of one workload.
 * Rejects if it is not available.
 */
export type Install = (scratch: string) => Promise<Tool | undefined>;

const PEERS: ReadonlyMap<string, Install> = new Map<string, Install>([
  ['pm2', installPm2],
  ['supervisord', installSupervisord],
  ['s6', installS6],
]);

export const PEER_NAMES: readonly string[] = [...PEERS.keys()];

interface Wanted {
  readonly names: readonly string[];
  readonly scratch: string;
  readonly say: (text: string) => void;
}

export const peers = async ({ names, scratch, say }: Wanted): Promise<readonly Tool[]> => {
  const found: Tool[] = [];
  for (const name of names) {
    try {
      const tool = await PEERS.get(name)?.(scratch);
      if (tool !== undefined) found.push(tool);
    } catch (error) {
      say(`${name} is left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
};
