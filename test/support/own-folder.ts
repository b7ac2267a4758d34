import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A separate folder that is deleted when the test is over; not for concurrent tests. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-conformance-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
