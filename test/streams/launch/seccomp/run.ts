// The kernel's side of a filter: runs a program over one system call, as `seccomp(2)` describes it.
import type { Instruction } from '../../../../src/streams/launch/seccomp/bpf.ts';

export interface Call {
  readonly architecture: number;
  readonly number: number;
  /** The low halves of the first argument and of the second. */
  readonly flags?: number;
  readonly second?: number;
}

const AT: Readonly<Record<number, keyof Call>> = {
  0: 'number',
  4: 'architecture',
  16: 'flags',
  24: 'second',
};

const TESTS: Readonly<Record<number, (accumulator: number, k: number) => boolean>> = {
  0x15: (accumulator, k) => accumulator === k,
  0x35: (accumulator, k) => accumulator >= k,
  0x45: (accumulator, k) => (accumulator & k) !== 0,
};

/** What the filter answers. Throws for a program that the kernel would refuse. */
export const answerOf = (program: readonly Instruction[], call: Call): number => {
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 1) {
    const { code, jt, jf, k } = program[at]!;
    if (code === 0x06) return k;
    if (code === 0x20) accumulator = call[AT[k]!] ?? 0;
    else at += TESTS[code]!(accumulator, k) ? jt : jf;
  }
  throw new Error('the program runs over its end');
};
