// The first process of a pid namespace is its init: the kernel drops every signal that it does not catch,
// except SIGKILL and SIGSTOP (pid_namespaces(7)).
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { isGone } from '../errno.ts';

const NSPID = /^NSpid:\t\d+(?:\t\d+)*\t1$/m;

const setIn = (status: string, name: 'SigIgn' | 'SigCgt'): bigint => {
  const [, hex = '0'] = new RegExp(`^${name}:\\s*([0-9a-f]+)$`, 'm').exec(status) ?? [];
  return BigInt(`0x${hex}`);
};

/** True if the process is such an init and neither catches nor ignores the signal. */
export const dropsSignal = (pid: number, signal: string): boolean => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const number = constants.signals[signal as NodeJS.Signals];
    const heeded = setIn(status, 'SigIgn') | setIn(status, 'SigCgt');
    return NSPID.test(status) && (heeded & (1n << BigInt(number - 1))) === 0n;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
};
