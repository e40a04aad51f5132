// Carries out a command on the machines that `--host` names (`docs/hosts.md`).
import { isFromInput } from '../grammar/standard-input.ts';
import { usageError } from '../grammar/usage-error.ts';
import { type HostCommand, onOneHost } from './one-host.ts';
import { hostPlace, type HostPlace } from '../../client/host/ssh-line.ts';
import type { CommandStatus } from '../../streams/wire/command-exit-status.ts';

const placeOf = (written: string): HostPlace => {
  const place = hostPlace(written);
  if (place === undefined)
    throw usageError(`--host "${written}" names no machine`, 'sup status --host user@box');
  return place;
};

/** Resolves to standard input, if the command line names it as a manifest. */
const inputOf = async ({ parsed, world }: HostCommand): Promise<Uint8Array | undefined> => {
  if (!isFromInput(parsed)) return undefined;
  const { readInput } = await import('../read-standard-input.ts');
  return readInput(world);
};

/**
 * Carries out a command on the named machines. Resolves to its exit status; for several machines, to the
 * worst exit status.
 */
export const onHosts = async (asked: HostCommand): Promise<CommandStatus> => {
  const written = [...new Set(asked.parsed.values.host)];
  const [first, ...others] = written.map(placeOf);
  const command = { ...asked, input: await inputOf(asked) };
  if (first === undefined || others.length === 0) return onOneHost(command, first ?? placeOf(''));
  const { onSeveralHosts } = await import('./several-hosts.ts');
  return onSeveralHosts(command, [first, ...others]);
};
