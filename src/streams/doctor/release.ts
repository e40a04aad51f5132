// Versions: of Node, of the kernel.

type Version = readonly [major: number, minor: number];

/** `6.12.117+deb12-cloud-amd64`, `v20.19.2`; what cannot be read is older than everything. */
const versionOf = (text: string): Version => {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(text) ?? [];
  return [Number(major), Number(minor)];
};

/** Major and minor only: what stands behind them does not count. */
export const isAtLeast = (text: string, [major, minor]: Version): boolean => {
  const [ownMajor, ownMinor] = versionOf(text);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};
