import { defineConfig } from 'vitest/config';
import { withoutAddon } from './test/support/native-addon.ts';

/** What asks the kernel about the process it is in: its children, its signals, its memory. */
const ALONE = [
  'test/os/**/*.spec.ts',
  'test/properties/manifest.spec.ts',
  // Has a file system of its own.
  'test/sinks/store/every-call.spec.ts',
];

const LEFT_OUT = withoutAddon();

export default defineConfig({
  test: {
    reporters: ['default', './test/support/report/unsteady.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/support/seed/fixed.ts'],
          include: ['test/**/*.spec.ts'],
          exclude: ['test/scenarios/**', 'test/faults/**', 'test/programs/**', ...ALONE, ...LEFT_OUT],
          // To start a process and to load all modules again for each of 300 files took three quarters of the time.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'alone',
          setupFiles: ['test/support/seed/fixed.ts'],
          retry: 1,
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
          testTimeout: 100_000,
          hookTimeout: 60_000,
          maxWorkers: 3,
          // Real processes on a machine that has much else to do; whoever needs it is named at the end.
          retry: 1,
        },
      },
      {
        test: {
          name: 'programs',
          include: ['test/programs/**/*.spec.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
