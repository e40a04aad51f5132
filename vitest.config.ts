import { defineConfig } from 'vitest/config';
import { browserTests } from './test/support/chromium.ts';
import { withoutAddon } from './test/support/native-addon.ts';
import { PATIENT } from './test/support/patience.ts';
import { withoutSshd } from './test/support/sshd.ts';

/** Tests that ask the kernel about their own process: its children, signals and memory. */
const ALONE = [
  'test/os/**/*.spec.ts',
  'test/properties/manifest.spec.ts',
  // Uses its own fake file system.
  'test/sinks/store/every-call.spec.ts',
];

const LEFT_OUT = [...withoutAddon(), ...withoutSshd()];

export default defineConfig({
  test: {
    // `npm run coverage`: only what decides, which unit tests reach without a process.
    coverage: {
      provider: 'v8',
      include: ['src/streams/**/*.ts'],
      reporter: ['text', 'html', 'json-summary'],
    },
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/support/seed/fixed.ts'],
          // The live view and the dashboard show local times.
          env: { TZ: 'UTC' },
          expect: { poll: PATIENT },
          include: ['test/**/*.spec.ts'],
          exclude: [
            'test/{scenarios,faults,programs,browser}/**',
            'test/exchange/**/*.oracle.spec.ts',
            ...[...ALONE, ...LEFT_OUT],
          ],
          // A new process with all modules for each file took three quarters of the time.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'alone',
          setupFiles: ['test/support/seed/fixed.ts'],
          env: { TZ: 'UTC' },
          expect: { poll: PATIENT },
          include: ALONE,
          exclude: [...LEFT_OUT],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.spec.ts', 'test/faults/**/*.spec.ts'],
          exclude: [...LEFT_OUT],
          // Limits for a busy machine: no test is played a second time.
          testTimeout: 300_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'browser',
          include: [...browserTests()],
          expect: { poll: { timeout: 90_000 } },
          testTimeout: 300_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'oracles',
          include: ['test/exchange/**/*.oracle.spec.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'programs',
          include: ['test/programs/**/*.spec.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
