// The auxiliary vector (getauxval(3)), as much of it as says in which units this kernel counts.

export interface MachineUnits {
  readonly pageBytes: number;
  /** In one tick of process times. */
  readonly tickMs: number;
}

const AT_PAGESZ = 6n;

const AT_CLKTCK = 17n;

const ENTRY_BYTES = 16;

/** What a program starts with on a machine of 64 bits: pairs of numbers, in the order of its bytes. */
export const unitsIn = (vector: Buffer): MachineUnits => {
  const values = new Map<bigint, bigint>();
  for (let at = 0; at + ENTRY_BYTES <= vector.length; at += ENTRY_BYTES)
    values.set(vector.readBigUInt64LE(at), vector.readBigUInt64LE(at + 8));
  const [page, ticks] = [values.get(AT_PAGESZ), values.get(AT_CLKTCK)];
  return { pageBytes: Number(page ?? 4_096n), tickMs: 1_000 / Number(ticks ?? 100n) };
};
