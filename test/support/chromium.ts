// The tests of the dashboard in Chromium. They are left out, with one printed line, if it is missing.
import { existsSync, readdirSync } from 'node:fs';

/** Debian's package. `npm run test-programs` installs it. */
export const CHROMIUM = '/usr/bin/chromium';

/** The patterns of the test files: none without Chromium. Prints how many are left out, once for each test run. */
export const browserTests = (): readonly string[] => {
  if (existsSync(CHROMIUM)) return ['test/browser/**/*.spec.ts'];
  const files = readdirSync('test/browser').filter((name) => name.endsWith('.spec.ts'));
  process.stderr.write(
    `left out: ${files.length} test files that need Chromium (as root: npm run test-programs)\n`,
  );
  return [];
};
