// The part of the error catalogue about other machines (`--host`; `docs/hosts.md`).
import { entry } from './catalogue-services.ts';

export const OF_HOSTS = {
  ERR0230: entry(
    'ssh cannot be started',
    'the program ssh is not installed, or PATH does not lead to it',
    'apt-get install openssh-client',
  ),
  ERR0231: entry(
    'host cannot be reached',
    'the name or address of the host is wrong, or the host refuses the connection or the key; without a terminal ssh cannot ask for a password',
    'try it alone: ssh <host> true; to log in by a key: ssh-copy-id <host>',
  ),
  ERR0232: entry(
    'host key not accepted',
    'the host is not in known_hosts yet, or its key differs from the recorded key',
    'to see the key and accept it: ssh <host> true',
  ),
  ERR0233: entry(
    'no sup on the host',
    'sup is not installed there, or the PATH of commands that ssh runs does not lead to it',
    'install it there (docs/install.md), for all users or into the PATH of ssh <host> env',
  ),
  ERR0234: entry(
    'another version of sup on the host',
    'the two versions of sup exchange different messages',
    'install the same version on both machines, then on the host: sup upgrade',
  ),
  ERR0235: entry(
    'connection to the host lost',
    'the network, the host or ssh failed during the command',
    'to see how things are now: sup status --host <host>',
  ),
  ERR0236: entry(
    'host does not answer',
    'the host hangs, its packets are dropped, or ssh waits for an answer that never comes',
    'try it alone: ssh <host> true',
  ),
} as const;
