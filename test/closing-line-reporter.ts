import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import { count } from '../src/report/text.ts';
import { MISSING } from './support/tool.ts';

type SomeError = { readonly message?: unknown };

/** One line for each failure, easy to find at the end of a long output: what failed and the first line of the reason. */
function failure(where: string, errors: readonly SomeError[]): string {
  const [why = 'it did not run'] = stripVTControlCharacters(String(errors[0]?.message ?? 'it did not run')).split('\n');
  return `failed: ${where}: ${why.slice(0, 300)}`;
}

type Part = TestModule | TestSuite | TestCase;

/** Whether a hook of the file, or of a suite around the test, failed: that is one failure, however many tests did not run for it. */
function isWithoutHook(part: Part): boolean {
  const around = part.type === 'module' ? undefined : part.parent;
  return around !== undefined && (around.errors().length > 0 || isWithoutHook(around));
}

/**
 * Ends the output with a line for each failed test or hook and for each missing tool, and with `N passed, N failed`, which CI reads, and
 * `N skipped` if a tool is missing, `N not run` if a hook failed. `--reporter verbose` names the skipped tests.
 */
export class ClosingLineReporter implements Reporter {
  private closing: string | undefined;
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const wanted = this.vitest?.config.testNamePattern;
    let passed = 0;
    const failed = unhandled.map((error) => failure('outside a test', [error as SomeError]));
    const notes: string[] = [];
    let notRun = 0;
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      failed.push(...module.errors().map((error) => failure(file, [error])));
      for (const suite of module.children.allSuites())
        failed.push(...suite.errors().map((error) => failure(`${file} > ${suite.fullName}`, [error])));
      for (const test of module.children.allTests()) {
        const result = test.result();
        // With -t, the others were not selected.
        if (result.state === 'skipped' && wanted?.test(test.fullName) === false) continue;
        if (result.state === 'passed') passed += 1;
        else if (result.state === 'skipped' && result.note?.startsWith(MISSING)) notes.push(result.note);
        else if (result.state !== 'failed' && isWithoutHook(test)) notRun += 1;
        // A test that was skipped for any other reason, or never ran, does not count as passed.
        else failed.push(failure(`${file} > ${test.fullName}`, result.errors ?? []));
      }
    }
    if (failed.length > 0) process.exitCode = 1;
    const skipped = [...new Set(notes)].map((note) => `skipped: ${count(notes.filter((one) => one === note).length, 'test')}: ${note}`);
    const counts = [
      `${passed} passed`,
      `${failed.length} failed`,
      ...(notes.length === 0 ? [] : [`${notes.length} skipped`]),
      ...(notRun === 0 ? [] : [`${notRun} not run`]),
    ];
    // In watch mode, runs follow each other: the last one counts.
    if (this.closing === undefined) process.on('exit', () => process.stdout.write(this.closing ?? ''));
    this.closing = `${[...skipped, ...failed, counts.join(', ')].join('\n')}\n`;
  }
}
