#!/usr/bin/env node
// Nothing is imported statically: on an older Node, dependencies do not even load.
const OLDEST: readonly (readonly [major: number, minor: number])[] = [
  [22, 19],
  [24, 0],
];
const USAGE = 2;

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major >= 26 || OLDEST.some(([wanted, least]) => major === wanted && minor >= least);
}

/**
 * When run from source, caches the stripped types at the first start, which halves the time of a short command. The installed package has
 * none.
 */
async function keepStripped(): Promise<void> {
  if (!import.meta.filename.endsWith('.ts')) return;
  const { enableCompileCache } = await import('node:module');
  const folder = `${import.meta.dirname}/../../node_modules/.cache/compiled`;
  enableCompileCache(folder);
  // Threads use this folder.
  process.env['NODE_COMPILE_CACHE'] ??= folder;
}

/** Node warns where both are set, and takes the other one: an empty NO_COLOR counts as unset, and any other one wins (no-color.org). */
function settleColor(): void {
  const { NO_COLOR: none, FORCE_COLOR: forced } = process.env;
  if (none !== undefined && forced !== undefined) delete process.env[none === '' ? 'NO_COLOR' : 'FORCE_COLOR'];
}

async function main(): Promise<void> {
  if (!isSupported(process.versions.node)) {
    // An npm install under an older Node lacks the test runner, so the upgrade comes first.
    const remedy =
      'upgrade Node, or add one to this project with "npm install --save-dev node@24"; then install again: npm exec -c "npm install"';
    process.stderr.write(`petstore-conformance needs Node 22.19, 24 or 26 and later; this is ${process.versions.node}: ${remedy}\n`);
    process.exitCode = USAGE;
    return;
  }
  settleColor();
  await keepStripped();
  const { runCommandLine } = await import('./program.ts');
  await runCommandLine(process.argv);
}

await main();
