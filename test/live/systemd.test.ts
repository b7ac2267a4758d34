import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { needs, SYSTEMD } from '../support/tool.ts';

const UNIT = fileURLToPath(new URL('../../deploy/systemd/petstore-probe.service', import.meta.url));
/** On a scale to ten, which is no protection at all. */
const MOST_EXPOSURE = 2;

function analyze(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync('systemd-analyze', [...args, UNIT], { encoding: 'utf8' });
  return stdout + stderr;
}

test('systemd finds nothing wrong with the unit, except that our program is not installed here', (context) => {
  needs(context, SYSTEMD);
  const lines = analyze('verify').split('\n');
  expect(lines.filter((line) => line.includes('petstore-probe.service') && !/petstore-conformance is not executable/.test(line))).toEqual(
    [],
  );
});

test('systemd calls the unit hardly exposed', (context) => {
  needs(context, SYSTEMD);
  const said = analyze('security', '--offline=true');
  const [, exposure = '10'] = /Overall exposure level for petstore-probe\.service: (\d+\.\d)/.exec(said) ?? [];
  expect(Number(exposure), said).toBeLessThanOrEqual(MOST_EXPOSURE);
});
