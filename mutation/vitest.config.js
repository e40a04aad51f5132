// The tests that judge mutants: those of the streams, which need no process, and the marbles.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    setupFiles: ['test/support/seed/fixed.ts'],
    include: ['test/streams/**/*.spec.ts', 'test/marbles.spec.ts'],
    // Stryker runs tests in threads, which cannot change the zone of their process.
    exclude: ['test/streams/cron/local-next-due.spec.ts'],
    testTimeout: 60_000,
  },
});
