import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import manifest from '../../package.json' with { type: 'json' };
import { findProgram } from './tool.ts';

/** A Chromium, and the variables with which it finds its libraries and fonts. */
export type BrowserProgram = { readonly executablePath: string; readonly env: Readonly<Record<string, string>> };

declare module 'vitest' {
  interface ProvidedContext {
    readonly browser: BrowserProgram | undefined;
  }
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/petstore-conformance/', import.meta.url));

/** The machine's own fonts and preferences if it has some, and the package's: it brings a list that is made for one cloud only. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
  <cachedir>~/.cache/fontconfig</cachedir>
</fontconfig>
`;

/** The package unpacks to the folder for temporary files, under predictable names: so it gets a separate one. */
async function unpackTo(folder: string): Promise<void> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    const { default: chromium, inflate } = await import('@sparticuz/chromium');
    const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'bin');
    await Promise.all([chromium.executablePath(bin), inflate(join(bin, 'al2023.tar.br'))]);
    writeFileSync(join(folder, 'fonts', 'fonts.conf'), FONTS);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** The Chromium that npm installed, for 64-bit Linux on x86: unpacked once, and again when its version changes. */
async function packagedBrowser(): Promise<BrowserProgram | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = join(CACHE, `chromium-${manifest.devDependencies['@sparticuz/chromium']}`);
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    const partial = mkdtempSync(join(CACHE, 'partial-'));
    try {
      await unpackTo(partial);
      renameSync(partial, folder);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      // Another run may have been first.
      if (!existsSync(folder)) throw error;
    }
  }
  const env = { HOME: folder, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_PATH: join(folder, 'fonts') };
  return { executablePath: join(folder, 'chromium'), env };
}

function starts({ executablePath, env }: BrowserProgram): boolean {
  try {
    return execFileSync(executablePath, ['--version'], { env, encoding: 'utf8' }).startsWith('Chrom');
  } catch {
    return false;
  }
}

function installedBrowser(): BrowserProgram | undefined {
  const executablePath = findProgram('chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome');
  return executablePath === undefined ? undefined : { executablePath, env: { HOME: CACHE, PATH: process.env['PATH'] ?? '' } };
}

/** Finds the browser of the live tests before the first of them: npm's if it starts, or else the machine's. */
export async function setup(project: TestProject): Promise<void> {
  const packaged = await packagedBrowser();
  project.provide('browser', packaged !== undefined && starts(packaged) ? packaged : installedBrowser());
}
