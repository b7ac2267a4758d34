import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long although they are small: without results of earlier runs, vitest starts with the largest file. */
const LONG = [
  'test/green/partly.test.ts',
  'test/green/probe.test.ts',
  'test/hostile/hostile.test.ts',
  'test/green/green.test.ts',
  'test/probe/silence.test.ts',
  'test/probe/replicas.test.ts',
  'test/gate/gate.test.ts',
  'test/probe/monitor.test.ts',
];

/** Starts with the slowest files, so that no core waits for one of them at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((path) => moduleId.endsWith(path));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
