// The capability sets of the calling thread: capabilities(7).
import { cFunction, type Libc } from '../../libc.ts';
import { words32 } from '../memory.ts';

const CAPSET = cFunction('int', 'capset', 'pointer', 'pointer');
const VERSION_3 = 0x20080522;
const LOW = 0xffffffffn;

interface CapabilitySets {
  readonly effective: bigint;
  readonly permitted: bigint;
  readonly inheritable: bigint;
}

/** Sets all three sets; bit n means capability n. */
export const setCapabilities = (libc: Libc, sets: CapabilitySets): void => {
  const { effective, permitted, inheritable } = sets;
  const half = (shift: bigint): readonly number[] =>
    [effective, permitted, inheritable].map((set) => Number((set >> shift) & LOW));
  libc.call(CAPSET, words32(VERSION_3, 0), words32(...half(0n), ...half(32n)));
};
