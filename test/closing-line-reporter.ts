import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { MISSING } from './support/tool.ts';

/** Ends the output with the line `N passed, N failed`, which CI reads, or `N passed, N failed, N skipped` where a tool is missing. */
export class ClosingLineReporter implements Reporter {
  private closing: string | undefined;
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const wanted = this.vitest?.config.testNamePattern;
    let passed = 0;
    let failed = unhandled.length;
    const skipped: string[] = [];
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        // With -t, the others were not asked for.
        if (result.state === 'skipped' && wanted?.test(test.fullName) === false) continue;
        if (result.state === 'passed') passed += 1;
        else if (result.state === 'skipped' && result.note?.startsWith(MISSING)) skipped.push(`skipped: ${test.fullName}: ${result.note}`);
        // A test that was skipped for any other reason, or never ran, is no pass.
        else failed += 1;
      }
    }
    if (failed > 0) process.exitCode = 1;
    const counts = [`${passed} passed`, `${failed} failed`, ...(skipped.length === 0 ? [] : [`${skipped.length} skipped`])];
    // In watch mode a run follows the other: the last one counts.
    if (this.closing === undefined) process.on('exit', () => process.stdout.write(this.closing ?? ''));
    this.closing = `${[...skipped, counts.join(', ')].join('\n')}\n`;
  }
}
