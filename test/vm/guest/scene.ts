// What the machine is booted for.
export const SCENES = ['cgroups', 'process-1'] as const;
export type Scene = (typeof SCENES)[number];

/** Said when every check was tried; how many there were. */
export const END = 'vm: checks done:';
