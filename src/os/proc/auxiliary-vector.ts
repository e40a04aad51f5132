// The auxiliary vector (getauxval(3)): only the entries for the units of this kernel.

export interface MachineUnits {
  readonly pageBytes: number;
  /** Milliseconds in one tick of process times. */
  readonly tickMs: number;
}

const AT_PAGESZ = 6n;

const AT_CLKTCK = 17n;

const ENTRY_BYTES = 16;

/** Parses the vector of a 64-bit little-endian machine: pairs of 64-bit numbers. */
export const unitsIn = (vector: Buffer): MachineUnits => {
  const values = new Map<bigint, bigint>();
  for (let at = 0; at + ENTRY_BYTES <= vector.length; at += ENTRY_BYTES)
    values.set(vector.readBigUInt64LE(at), vector.readBigUInt64LE(at + 8));
  const [page, ticks] = [values.get(AT_PAGESZ), values.get(AT_CLKTCK)];
  return { pageBytes: Number(page ?? 4_096n), tickMs: 1_000 / Number(ticks ?? 100n) };
};
