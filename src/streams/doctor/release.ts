// Versions of Node and the kernel.

type Version = readonly [major: number, minor: number];

/** Parses `6.12.117+deb12-cloud-amd64` or `v20.19.2`; unreadable text counts as version 0.0. */
const versionOf = (text: string): Version => {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(text) ?? [];
  return [Number(major), Number(minor)];
};

/** True if the version is at least this one; only major and minor count. */
export const isAtLeast = (text: string, [major, minor]: Version): boolean => {
  const [ownMajor, ownMinor] = versionOf(text);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};
