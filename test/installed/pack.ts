import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { runCommand } from './command.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Packs the package once, as a release does, for all tests that install it. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-conformance-package-'));
  const packed = await runCommand(['npm', 'pack', '--pack-destination', folder, '--json'], { cwd: ROOT });
  if (packed.code !== 0) throw new Error(`npm pack failed: ${packed.stderr}`);
  const filename = /"filename": "([^"]+)"/.exec(packed.stdout)?.[1];
  if (filename === undefined) throw new Error(`npm pack named no file: ${packed.stdout}`);
  provide('tarball', join(folder, filename));
  return () => rmSync(folder, { recursive: true, force: true });
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the packed package. */
    tarball: string;
  }
}
