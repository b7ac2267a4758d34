import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/closing-line-reporter.ts';

// The gate's own spec file, suites/conformance.test.ts, is no test of ours.
const UNIT = ['src/**/*.test.ts', 'suites/*/**/*.test.ts'];

// Many servers judged whole, many runs of the program, services watched for long: minutes, which CI has.
const THOROUGH = ['test/**/*.thorough.test.ts', 'proof/**/*.thorough.test.ts', 'corpora/*/*.thorough.test.ts'];
const LIVE = ['test/live/**/*.test.ts', 'corpora/*/*.live.test.ts'];
const CORPORA = 'corpora/*/*.test.ts';
const EXAMPLES = ['test/installed/examples.test.ts', 'test/installed/release.test.ts'];
// Programs, monitors and package managers wait a good part of their time, so two more files find room on two cores.
const WAITING = { maxWorkers: 6, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    // Whole-program tests start processes and servers; two cores bear two files at a time.
    maxWorkers: 2,
    maxConcurrency: 2,
    // The one bound on how long a test waits. It is for what never comes: a slow machine takes longer, and that is no failure.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      // They share modules without state: each is loaded once for all files, and not once for each.
      { extends: true, test: { name: 'unit', include: UNIT, isolate: false } },
      {
        extends: true,
        test: {
          name: 'program',
          include: ['test/**/*.test.ts', 'proof/**/*.test.ts', CORPORA],
          exclude: [...UNIT, ...THOROUGH, ...LIVE, 'test/installed/**'],
          ...WAITING,
        },
      },
      { extends: true, test: { name: 'thorough', include: THOROUGH, ...WAITING } },
      // Tests that need more of the machine than Node: each is skipped where that is missing.
      {
        extends: true,
        test: { name: 'live', include: LIVE, globalSetup: 'test/support/unpack-browser.ts', ...WAITING },
      },
      // The packed package, as users install it: needs the npm registry. The examples and the rehearsal of a release are what CI runs of it; the rest takes minutes.
      { extends: true, test: { name: 'examples', include: EXAMPLES, globalSetup: 'test/installed/pack.ts', ...WAITING } },
      {
        extends: true,
        test: { name: 'installed', include: ['test/installed/**/*.test.ts'], exclude: EXAMPLES, globalSetup: 'test/installed/pack.ts' },
      },
    ],
  },
});
