// Carries out a command on the machines that `--host` names (`docs/hosts.md`).
import { usageError } from '../grammar/usage-error.ts';
import { type HostCommand, onOneHost } from './one-host.ts';
import { hostPlace, type HostPlace } from '../../client/host/ssh-line.ts';
import type { CommandStatus } from '../../streams/wire/exit-status.ts';

const placeOf = (written: string): HostPlace => {
  const place = hostPlace(written);
  if (place === undefined)
    throw usageError(`--host "${written}" names no machine`, 'sup status --host user@box');
  return place;
};

/** Carries out a command on the named machines. Resolves to the exit status, of several to the worst. */
export const onHosts = async (command: HostCommand): Promise<CommandStatus> => {
  const written = [...new Set(command.parsed.values.host)];
  const [first, ...others] = written.map(placeOf);
  if (first === undefined || others.length === 0) return onOneHost(command, first ?? placeOf(''));
  const { onSeveralHosts } = await import('./several-hosts.ts');
  return onSeveralHosts(command, [first, ...others]);
};
