// Encodes the instructions of classic BPF that a seccomp filter needs (seccomp(2)): eight bytes for each
// instruction, little-endian.

export interface Instruction {
  readonly code: number;
  /** The number of instructions to skip: `jt` if the test is true, `jf` if it is false. */
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

const LD_W_ABS = 0x20;
const JMP_JEQ_K = 0x15;
const JMP_JGE_K = 0x35;
const JMP_JSET_K = 0x45;
const RET_K = 0x06;

/** The offsets of call number and architecture in `struct seccomp_data`. */
export const CALL_AT = 0;
export const ARCHITECTURE_AT = 4;
/** The offsets of the low 32 bits of the first and of the second argument. */
export const FIRST_ARGUMENT_AT = 16;
export const SECOND_ARGUMENT_AT = 24;

export const RETURN = {
  kill: 0x8000_0000,
  errno: (errno: number): number => 0x0005_0000 | errno,
  log: 0x7ffc_0000,
  allow: 0x7fff_0000,
} as const;

type Jumps = readonly [whenTrue: number, whenFalse: number];

const jump =
  (code: number) =>
  (k: number, [jt, jf]: Jumps): Instruction => ({ code, jt, jf, k });

/** Returns the instruction that loads the 32 bits at this offset of `struct seccomp_data`. */
export const load = (k: number): Instruction => ({ code: LD_W_ABS, jt: 0, jf: 0, k });
/** Returns the instruction that ends the filter with the result `k`, which is one of `RETURN`. */
export const give = (k: number): Instruction => ({ code: RET_K, jt: 0, jf: 0, k });
/** Returns the instruction that tests whether the loaded value equals `k`. */
export const ifEqual = jump(JMP_JEQ_K);
/** Returns the instruction that tests whether the loaded value is at least `k`, as unsigned numbers. */
export const ifAtLeast = jump(JMP_JGE_K);
/** Returns the instruction that tests whether the loaded value has any bit of `k`. */
export const ifAnyOf = jump(JMP_JSET_K);

const BYTES = 8;

/** Returns the program in the binary form that Linux reads. */
export const assemble = (program: readonly Instruction[]): Uint8Array => {
  const bytes = new DataView(new ArrayBuffer(program.length * BYTES));
  program.forEach(({ code, jt, jf, k }, index) => {
    const at = index * BYTES;
    bytes.setUint16(at, code, true);
    bytes.setUint8(at + 2, jt);
    bytes.setUint8(at + 3, jf);
    bytes.setUint32(at + 4, k, true);
  });
  return new Uint8Array(bytes.buffer);
};
