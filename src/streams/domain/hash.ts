// Computes a hash that is used instead of a random number (D-010): the streams have no random source, and a
// delay must be the same after a restart of the supervisor.

/** Returns a number from 0 to 2^32 - 1 computed from the seed. Similar seeds give very different numbers. */
export const hashOf = (seed: string): number => {
  let hash = 0;
  for (let i = 0; i < seed.length; i += 1) hash = (Math.imul(hash, 31) + seed.charCodeAt(i)) | 0;
  return mixed(hash);
};

/** Mixes the hash with the finalizer of MurmurHash3. */
const mixed = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
};
