// Ports in an address.

export const HIGHEST_PORT = 65_535;

/** Why the number is no port; `undefined` if it is one or is absent. */
export const portTrouble = (digits: string | undefined): string | undefined =>
  digits === undefined || (Number(digits) >= 1 && Number(digits) <= HIGHEST_PORT)
    ? undefined
    : `names port ${digits}, but ports go from 1 to ${HIGHEST_PORT}`;
