import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NO_EVIDENCE } from '../../src/judge/collected.ts';
import { targetRecord } from '../../src/probe/judge-target.ts';
import { resolveTarget } from '../../src/probe/smoke.ts';
import { probeClauses } from '../../suites/probe.ts';
import { sampleRecord } from '../judge-samples.ts';
import { ownFolder } from '../support/own-folder.ts';
import { runProgram } from '../support/program.ts';
import { loadText } from './load-text.ts';

const withWaivers = (...entries: readonly string[]): string =>
  `targets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: env:KEY\n    waivers:\n${entries
    .map((entry) => `      - ${entry}\n`)
    .join('')}`;

describe('waivers in the configuration', () => {
  test('They are those of the gate: id, reason, the last day, and a ticket.', () => {
    const { config, problems, warnings } = loadText(
      withWaivers(
        '{ id: get.not-found, reason: known, expires: 2026-11-21 }',
        '{ id: list.unique, reason: known, expires: 2027-01-31, ticket: OPS-7 }',
        '{ id: get.durable/canary, reason: the owner cleans up, expires: 2027-11-21 }',
      ),
    );
    expect({ problems, warnings }).toEqual({ problems: '', warnings: '' });
    expect(config?.targets[0]?.waivers.map(({ id }) => id)).toEqual(['get.not-found', 'list.unique', 'get.durable/canary']);
  });

  test.for([
    [
      'an id that there is not',
      '{ id: get.notfound, reason: known, expires: 2027-01-31 }',
      'FILE:6: targets[0].waivers[0]: the waiver of get.notfound matches no clause and no check (did you mean get.',
    ],
    [
      'a day that the calendar does not have',
      '{ id: list.unique, reason: known, expires: 2027-02-30 }',
      'FILE:6: targets[0].waivers[0].expires: expected a date such as 2027-01-31, received "2027-02-30"',
    ],
    ['no last day', '{ id: list.unique, reason: known }', 'FILE:6: targets[0].waivers[0]: the field "expires" is missing'],
    [
      'a field of another name',
      '{ id: list.unique, reason: known, expires: 2027-01-31, until: 2027-01-31 }',
      'FILE:6: targets[0].waivers[0].until: not a field of the configuration',
    ],
    [
      'a reason that nobody has written',
      '{ id: list.unique, reason: "TO BE WRITTEN: why is this accepted for now?", expires: 2027-01-31 }',
      'FILE:6: targets[0].waivers[0]: the waiver (list.unique) still has no reason',
    ],
  ] as const)('Line and field are named of %s.', ([, entry, wanted]) => {
    expect(loadText(withWaivers(entry)).problems).toContain(wanted);
  });

  test('One id that is waived twice is a mistake.', () => {
    const entry = '{ id: list.unique, reason: known, expires: 2027-01-31 }';
    expect(loadText(withWaivers(entry, entry)).problems).toBe('FILE:7: targets[0].waivers[1]: list.unique is waived twice; keep one entry');
  });

  test('An expired one causes a warning: a monitor that restarts at night must not stay down because of it.', () => {
    const { config, warnings } = loadText(withWaivers('{ id: list.unique, reason: known, expires: 2026-11-20 }'));
    expect(config?.targets).toHaveLength(1);
    expect(warnings).toBe(
      'FILE:6: targets[0].waivers[0]: the waiver of list.unique expired on 2026-11-20 ("known"): ' +
        'fix the failure, or set a later date if the reason still holds',
    );
  });

  test('One that is valid for more than a year causes a warning, and applies.', () => {
    const { config, warnings } = loadText(withWaivers('{ id: list.unique, reason: known, expires: 9999-12-31 }'));
    expect(config?.targets[0]?.waivers).toHaveLength(1);
    expect(warnings).toBe(
      'FILE:6: targets[0].waivers[0]: the waiver of list.unique is valid until 9999-12-31, more than a year from today: ' +
        'choose an earlier day, so that somebody looks at the failure again',
    );
  });

  test('--check-config finds both.', async () => {
    const file = join(ownFolder(), 'monitor.yaml');
    const check = async (...entries: readonly string[]) => {
      writeFileSync(file, withWaivers(...entries));
      return runProgram(['monitor', '--check-config', '--config', file], { env: { KEY: 'an-api-key' } });
    };
    const ended = await check('{ id: list.unique, reason: known, expires: 2020-01-01 }');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain(`warning: ${file}:6: targets[0].waivers[0]: the waiver of list.unique expired on 2020-01-01`);
    const unknown = await check('{ id: list.uniq, reason: known, expires: 2099-01-01 }');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain(`${file}:6: targets[0].waivers[0]: the waiver of list.uniq matches no clause and no check`);
  });
});

describe('targetRecord', () => {
  test.for([
    ['2026-11-21T23:59:59Z', 'waived'],
    ['2026-11-22T00:00:00Z', 'fail'],
  ] as const)('A waiver applies on its last day in UTC and not after it: %s.', ([at, verdict]) => {
    const waivers = [{ id: 'list.unique', reason: 'known', expires: '2026-11-21' }];
    const now = new Date(at);
    const { checks, clauses } = targetRecord([sampleRecord('list.unique/a', 'fail')], {
      target: resolveTarget({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: () => 'k-waivers-8Rt5', waivers }),
      ...{ clauses: probeClauses, version: '0', strict: false, reference: false, now, startedAt: at, duration: 0 },
      ...{ errors: [], unreachable: undefined, late: false, evidence: NO_EVIDENCE },
      summary: {
        animals: { created: [], ambiguous: [], budget: 0, prefix: 'probe' },
        operations: [],
        traits: { headers: {}, members: {} },
        departures: [],
        notices: [],
      },
    });
    expect([checks[0]?.verdict, clauses[0]?.verdict]).toEqual([verdict, verdict]);
  });
});
