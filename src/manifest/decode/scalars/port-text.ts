// Ports, as an address names them.

export const HIGHEST_PORT = 65_535;

/** Why no port has this number; `undefined`: one may have it. */
export const portTrouble = (digits: string | undefined): string | undefined =>
  digits === undefined || (Number(digits) >= 1 && Number(digits) <= HIGHEST_PORT)
    ? undefined
    : `names port ${digits}, but ports go from 1 to ${HIGHEST_PORT}`;
