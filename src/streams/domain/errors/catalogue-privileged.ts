// The part of the error catalogue about root privileges, and about features of Linux that services declare.
import { entry } from './catalogue-services.ts';

export const PRIVILEGED = {
  ERR0605: entry(
    'program is not of root alone',
    'a user other than root could change Node, a file of sup, its addon or a directory of PATH, and root would execute the changed program at each boot',
    'install it where only root may write, or correct the owner and mode of what the message names',
  ),
  ERR0246: entry(
    'threshold not understood',
    'the value of --threshold is not a number from 0 to 10, with at most one decimal',
    'sup security --threshold 4.5',
  ),
  ERR0247: entry(
    'a service is too open',
    'the score of a selected service is above --threshold',
    'to see what is open, and the line that closes it: sup security <service>',
  ),
  ERR0704: entry(
    '--sys needs root',
    'only root may use the privileged supervisor (--sys), and another user ran the command',
    'run it as root, or without --sys',
  ),
  ERR0705: entry(
    'key without effect in user mode',
    'the key works only with a privileged supervisor',
    'run with --sys, or drop the key',
  ),
  ERR0721: entry(
    'cgroup or isolation setting cannot be enforced',
    'the kernel of this machine does not support the setting, or the setting needs the privileged supervisor',
    'drop the key, or run with --sys on a kernel that has it',
  ),
  ERR0723: entry(
    'Landlock refused',
    'the kernel has no Landlock, or a path of isolation.landlock does not exist',
    'correct the path that is named; Landlock needs Linux 5.13 and lsm=landlock',
  ),
  ERR0724: entry(
    'seccomp filter refused',
    'the kernel does not accept the filter, or this machine is neither x64 nor arm64',
    'drop isolation.seccomp, or run on a kernel that has it',
  ),
  ERR0725: entry(
    'namespace refused',
    'the kernel does not permit the namespace: the supervisor is not root, it runs in a container, or a limit user.max_*_namespaces is reached',
    'remove the key, or use manifest version 2, which starts the service without it and says so',
  ),
  ERR0726: entry(
    'cgroup refused',
    'the machine has no cgroup v2 with the needed controllers, or the supervisor may not write to it',
    'use a machine whose cgroup v2 has the memory and cpu controllers, or remove limits.cgroup',
  ),
  ERR0728: entry(
    'notifications cannot be received',
    'a health check by notify needs the native addon ffi-napi, which cannot be loaded or is switched off (SUP_FFI)',
    'in a clone: npm run addon; in any other installation, look at: sup doctor; or use another kind of health check',
  ),
  ERR0741: entry(
    'limit or identity cannot be applied',
    'this machine does not have the account, the group, the capability, the CPU, the limit or the native addon that a key asks for',
    'correct the key, or validate the manifest on the machine that runs it',
  ),
  ERR0742: entry(
    'account cannot be taken',
    'the user or group does not exist, the name service did not answer, or the supervisor may not switch to that account',
    'correct user, group or supplementary_groups; run the supervisor with --sys',
  ),
  ERR0743: entry(
    'capability cannot be given',
    'the supervisor itself does not have the capability, often because its container dropped it',
    'give it to the supervisor, or drop it from capabilities',
  ),
  ERR0744: entry(
    'limit cannot be set',
    'the limit is higher than the supervisor may grant, or names a CPU that does not exist',
    'correct the key that is named; raising a hard limit needs CAP_SYS_RESOURCE',
  ),
  ERR0745: entry(
    'launcher cannot work',
    'a launcher process applies users, limits and isolation, and needs the native addon (ffi-napi); the addon is missing, or the launcher ended early',
    'in a clone: npm run addon; in any other installation, look at: sup doctor',
  ),
  ERR0746: entry(
    'working directory cannot be entered',
    'the working directory does not exist, or the user of the service may not enter it',
    'correct working_dir, its owner or its mode',
  ),
  ERR0747: entry(
    'command of a service runs as root where others may write',
    'the command runs as root, and another user may change its directory or its program; so that user could become root',
    "give the command to the service with run_as: service, or make the place root's and closed to others",
  ),
  ERR0748: entry(
    'credentials without a mount namespace',
    'only a mount namespace hides the files of credentials from other services, and this supervisor cannot make a mount namespace for the service',
    'run with --sys, or declare isolation.user: true, or use env.secrets',
  ),
  ERR0749: entry(
    'state directory where none can be',
    'state_dir is a directory of the system, which cannot belong to one service',
    'name a directory for this service alone, such as one below /var/lib',
  ),
  ERR0750: entry(
    'the caller belongs to a confined service',
    'a service with capabilities, isolation or another user may not send commands to the supervisor; the command came from such a service, or from a process that could belong to such a service',
    'run the command outside the service; control: true in its manifest lets the service itself use the control socket',
  ),
} as const;
