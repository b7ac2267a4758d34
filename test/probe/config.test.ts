import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadTarget } from '../../src/probe/config/load-config.ts';
import { secretOf } from '../../src/secrets/secret.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { ownFolder, runProgram } from '../support/program.ts';
import { loadText, TODAY } from './load-text.ts';
import { startMonitor, startTarget } from './running-monitor.ts';

function problemsOf(text: string): string {
  return loadText(text).problems;
}

const target = (lines: string): string =>
  `targets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: env:KEY\n${lines}`;

/** A list of lists of lists: each level names the one before it ten times. */
function bomb(): string {
  const level = (depth: number): string => (depth === 0 ? '[x]' : `[${Array.from({ length: 10 }, () => `*l${depth - 1}`).join(', ')}]`);
  return Array.from({ length: 8 }, (_unused, depth) => `  - &l${depth} ${level(depth)}`).join('\n');
}

describe('loadConfig', () => {
  test('What is left out has its default, and the deadline fits into a short interval.', () => {
    const { config } = loadText(target('    interval: 10s\n'));
    expect(config?.server).toMatchObject({ host: '127.0.0.1', port: 9464 });
    expect(config?.targets[0]).toMatchObject({ interval: 10_000, deadline: 8_000 });
    expect(config?.targets[0]?.apiKey()).toBe('an-api-key');
  });

  test('A target defines when it is down and when it is up again, or `defaults` does.', () => {
    const { config, problems } = loadText(`defaults: { downAfter: 1 of 1, upAfter: 3 }\n${target('    downAfter: 4 of 10\n')}`);
    expect(problems).toBe('');
    expect(config?.targets[0]?.alertRule).toEqual({ failures: 4, window: 10, passes: 3 });
    expect(loadText(target('')).config?.targets[0]?.alertRule).toEqual({ failures: 3, window: 5, passes: 2 });
  });

  const NAMED = (name: string, more = ''): string => `  - { name: ${name}, baseUrl: "https://petstore.example/v1"${more} }\n`;

  test('A target has the key and the waivers of `defaults`, unless it has its own.', () => {
    const waiver = (id: string): string => `[{ id: ${id}, reason: known, expires: 2027-01-31 }]`;
    const { config, problems } = loadText(
      `defaults: { apiKey: env:SHARED, waivers: ${waiver('list.unique')} }
targets:
${NAMED('one')}${NAMED('two', `, apiKey: env:KEY, waivers: ${waiver('get.not-found')}`)}${NAMED('three', ', waivers: []')}`,
      { SHARED: 'the-shared-key' },
    );
    expect(problems).toBe('');
    expect(config?.targets.map(({ apiKey, waivers }) => [apiKey(), ...waivers.map(({ id }) => id)])).toEqual([
      ['the-shared-key', 'list.unique'],
      ['an-api-key', 'get.not-found'],
      ['the-shared-key'],
    ]);
    expect(config?.secrets()).toContain('the-shared-key');
  });

  test('A mistake in `defaults` is reported once, and so is a key that is neither there nor at the target.', () => {
    const wrong = 'defaults: { apiKey: env:NONE, waivers: [{ id: list.unike, reason: known, expires: 2027-01-31 }] }\n';
    expect(problemsOf(`${wrong}targets:\n${NAMED('one')}${NAMED('two')}`).split('\n')).toEqual([
      'FILE:1: defaults.apiKey: the environment variable NONE is not set',
      expect.stringContaining('FILE:1: defaults.waivers[0]: the waiver of list.unike matches no clause'),
    ]);
    expect(problemsOf(`targets:\n${NAMED('one')}`)).toBe('FILE:2: targets[0].apiKey: missing here and in defaults');
  });

  test('One target of the file has the key and the waivers of `defaults` too; a key that it does not use may be missing.', () => {
    const file = join(ownFolder(), 'monitor.yaml');
    const load = (name: string, replaced = false) =>
      loadTarget(file, name, {
        ...{ environment: { KEY: 'an-api-key' }, clauses, today: TODAY },
        replaced: { key: replaced, ca: false, waivers: false, cert: false, headers: false },
      });
    writeFileSync(
      file,
      `defaults: { apiKey: "file:shared", waivers: known.yaml }\ntargets:\n${NAMED('one')}${NAMED('two', ', apiKey: env:KEY, waivers: []')}`,
    );
    const folder = dirname(file);
    expect(() => load('one')).toThrow('defaults.apiKey: cannot read the secret file');
    expect(load('one', true)).toMatchObject({ kind: 'found', waiversFile: join(folder, 'known.yaml') });
    expect(load('two')).toMatchObject({ key: 'env:KEY', waiversFile: undefined });
    writeFileSync(join(folder, 'shared'), 'the-shared-key', { mode: 0o600 });
    expect(load('one')).toMatchObject({ key: `file:${join(folder, 'shared')}` });
  });

  test('Mistakes of form and of meaning are reported together; about a part with the wrong form, nothing else is reported.', () => {
    const text = `server: { host: 0.0.0.0, prot: 9464 }
defaults: { labels: { team: a }, skip: [nothing.*] }
webhooks:
  - { name: a, url: env:NONE }
  - { name: b, url: ftp://x }
targets:
${NAMED('one', ', apiKey: env:NONE')}${NAMED('two', ', apiKey: env:KEY, interval: 10')}${NAMED('one', ', apiKey: env:KEY, colour: red')}maintenance: [{ reason: x, duration: 1h, weekly: sunday 02:00, targets: [two, three] }]
`;
    const fields = problemsOf(text)
      .split('\n')
      .map((line) => /^FILE:(\d+): (\S+):/.exec(line)?.slice(1).join(' '));
    expect(fields.toSorted()).toEqual([
      '1 server.host',
      '1 server.prot',
      '10 maintenance[0].targets[1]',
      '2 defaults.labels',
      '2 defaults.skip[0]',
      '4 webhooks[0].url',
      '5 webhooks[1].url',
      '7 targets[0].apiKey',
      '8 targets[1].interval',
      '9 targets[2].colour',
      '9 targets[2].name',
    ]);
  });

  test('Maintenance is planned once, on days of the week, daily, or by cron, in any time zone, for some targets or for all.', () => {
    const { config, problems } = loadText(
      `maintenance:
  - { reason: database upgrade, start: 2026-12-01T22:00:00Z, duration: 4h, targets: [production] }
  - { reason: weekly restart, weekly: sunday 02:30, duration: 30m }
${target('')}`,
    );
    expect(problems).toBe('');
    const [once, weekly] = config?.maintenance ?? [];
    expect(once).toMatchObject({ reason: 'database upgrade', duration: 4 * 3_600_000, targets: ['production'] });
    expect(weekly).toMatchObject({ duration: 30 * 60_000, targets: [] });
  });

  test.for([
    ['start: 2026-12-01T22:00:00Z', ['2026-12-01T22:00:00Z']],
    ['start: 2026-12-01 22:00:00.5+01:00', ['2026-12-01T21:00:00.500Z']],
    ['start: 2026-12-01T22:00+0130', ['2026-12-01T20:30:00Z']],
    ['start: 2026-12-01T22:00', ['2026-12-01T22:00:00Z']],
    ['start: 2026-12-01T22:00:30, timeZone: America/New_York', ['2026-12-02T03:00:30Z']],
    ['start: 2026-07-01T22:00, timeZone: Europe/Berlin', ['2026-07-01T20:00:00Z']],
    // It is a Saturday, in the middle of the day.
    ['weekly: sunday 02:30', ['2026-11-15T02:30:00Z', '2026-11-22T02:30:00Z']],
    ['weekly: "monday, thursday 02:30", timeZone: Europe/Berlin', ['2026-11-19T01:30:00Z', '2026-11-23T01:30:00Z']],
    ['weekly: "saturday,sunday 23:59"', ['2026-11-15T23:59:00Z', '2026-11-21T23:59:00Z']],
    ['daily: 13:00, timeZone: Europe/Berlin', ['2026-11-21T12:00:00Z', '2026-11-22T12:00:00Z']],
    ['cron: 15 3 L * *, timeZone: Australia/Sydney', ['2026-10-30T16:15:00Z', '2026-11-29T16:15:00Z']],
  ] as const)('Maintenance with %s is at %j.', ([when, expected]) => {
    const { config, problems } = loadText(`maintenance: [{ reason: x, duration: 1h, ${when} }]\n${target('')}`);
    expect(problems).toBe('');
    const starts = config?.maintenance[0]?.starts(TODAY.getTime()) ?? [];
    expect(starts.map((start) => new Date(start).toISOString())).toEqual(expected.map((time) => new Date(time).toISOString()));
  });

  test('Maintenance may last longer than a day if the file says so.', () => {
    const long =
      'maintenance: [{ reason: move, start: 2026-12-01T22:00:00Z, duration: 72h }, { reason: x, weekly: "saturday, sunday 00:00", duration: 24h }]';
    expect(loadText(`longestMaintenance: 72h\n${long}\n${target('')}`).problems).toBe('');
    expect(loadText(`longestMaintenance: 47h\n${long}\n${target('')}`).problems.split('\n')).toEqual([
      'FILE:2: maintenance[0].duration: expected at most 47h, received 72h; if it must be longer, set longestMaintenance: 72h',
      'FILE:2: maintenance[1].weekly: its windows follow one another without a gap for more than 47h; shorten "duration", or set longestMaintenance',
    ]);
  });

  test.for([
    [
      'maintenance that does not say when',
      `maintenance: [{ reason: x, duration: 1h }]\n${target('')}`,
      'FILE:1: maintenance[0]: expected one of "start" (once), "weekly", "daily", and "cron"',
    ],
    [
      'maintenance that says twice when',
      `maintenance: [{ reason: x, duration: 1h, daily: 02:00, cron: 0 2 * * * }]\n${target('')}`,
      'FILE:1: maintenance[0]: expected one of "start" (once), "weekly", "daily", and "cron"',
    ],
    [
      'a day that no week has',
      `maintenance: [{ reason: x, duration: 1h, weekly: sundays 2:00 }]\n${target('')}`,
      'FILE:1: maintenance[0].weekly: expected one or more days of every week and a time, such as sunday 02:00, or monday, thursday 02:00, received "sundays 2:00"',
    ],
    [
      'a minute that no hour has',
      `maintenance: [{ reason: x, duration: 1h, cron: 61 2 * * * }]\n${target('')}`,
      'FILE:1: maintenance[0].cron: cron cannot read it: Invalid value for minute: 61',
    ],
    [
      'cron with seconds',
      `maintenance: [{ reason: x, duration: 1h, cron: 0 0 2 * * * }]\n${target('')}`,
      'FILE:1: maintenance[0].cron: expected five fields of cron (minute, hour, day of the month, month, day of the week), such as 0 2 1 * * for the first day of each month, received "0 0 2 * * *"',
    ],
    [
      'a day that no month has',
      `maintenance: [{ reason: x, duration: 1h, cron: 0 2 30 2 * }]\n${target('')}`,
      'FILE:1: maintenance[0].cron: never takes place',
    ],
    [
      'a time zone that there is not',
      `maintenance: [{ reason: x, duration: 1h, daily: 02:00, timeZone: Europe/Barlin }]\n${target('')}`,
      'FILE:1: maintenance[0].timeZone: expected a time zone such as Europe/Berlin, received "Europe/Barlin"',
    ],
    [
      'a time with an offset in a time zone',
      `maintenance: [{ reason: x, duration: 1h, start: 2026-12-01T22:00:00Z, timeZone: Europe/Berlin }]\n${target('')}`,
      'FILE:1: maintenance[0].start: has an offset to UTC of its own: remove it, as in 2026-12-01T22:00, or "timeZone"',
    ],
    [
      'an hour that no clock has',
      `maintenance: [{ reason: x, duration: 1h, start: 2026-12-01T25:00:00Z }]\n${target('')}`,
      'FILE:1: maintenance[0].start: expected a time, for once, such as 2027-01-31T22:00:00Z, or 2027-01-31T22:00 in `timeZone`, received "2026-12-01T25:00:00Z"',
    ],
    [
      'a time that no calendar has',
      `maintenance: [{ reason: x, duration: 1h, start: 2026-02-30T22:00:00Z }]\n${target('')}`,
      'FILE:1: maintenance[0].start: expected a time such as 2027-01-31T22:00:00Z, received "2026-02-30T22:00:00Z"',
    ],
    [
      'maintenance that hides more than a day',
      `maintenance: [{ reason: x, duration: 168h, weekly: sunday 02:00 }]\n${target('')}`,
      'FILE:1: maintenance[0].duration: expected at most 24h, received 168h; if it must be longer, set longestMaintenance: 168h',
    ],
    [
      'maintenance that never ends',
      `maintenance: [{ reason: x, duration: 1h, cron: "*/30 * * * *" }]\n${target('')}`,
      'FILE:1: maintenance[0].cron: its windows follow one another without a gap for more than 24h; shorten "duration", or set longestMaintenance',
    ],
    [
      'maintenance of a target that there is not',
      `maintenance: [{ reason: x, duration: 1h, weekly: sunday 02:00, targets: [production-2] }]\n${target('')}`,
      'FILE:1: maintenance[0].targets[0]: no target has the name "production-2" (did you mean production?)',
    ],
    [
      'a threshold that is no number of runs',
      target('    downAfter: 3\n'),
      'FILE:5: targets[0].downAfter: expected failed runs among the last runs after which the target is down, such as 3 of 5; at most 60 runs, received 3',
    ],
    [
      'more failures than runs',
      target('    downAfter: 6 of 5\n'),
      'FILE:5: targets[0].downAfter: expected at most as many failures as runs, received "6 of 5"',
    ],
    ['no runs in a row', target('    upAfter: 0\n'), 'FILE:5: targets[0].upAfter: expected at least 1, received 0'],
    ['an unknown field', target('    intervall: 10s\n'), 'FILE:5: targets[0].intervall: not a field of the configuration'],
    [
      'labels of its own',
      target('    labels: { team: x }\n'),
      "FILE:5: targets[0].labels: not a field of the configuration (set a target's labels in the scrape configuration",
    ],
    [
      'a deadline beyond 0.8 of the interval',
      target('    interval: 10s\n    deadline: 9s\n'),
      'FILE:6: targets[0].deadline: expected at most 0.8 of the interval (8000 ms), received 9000 ms',
    ],
    [
      'a duration without a unit',
      target('    interval: "10"\n'),
      'FILE:5: targets[0].interval: expected a number and a unit: 500ms, 30s, 5m, 1h, received "10"',
    ],
    [
      'a duration that is a number',
      target('    interval: 10\n'),
      'FILE:5: targets[0].interval: expected a number and a unit: 500ms, 30s, 5m, 1h, received 10',
    ],
    ['a file that is a list', '- targets\n', 'FILE:1: the file: expected a mapping of fields, received a list'],
    ['no target at all', 'targets: []\n', 'FILE:1: targets: expected at least 1 of them, received a list of 0'],
    [
      'a format that there is not',
      `webhooks: [{ name: a, url: "env:KEY", format: xml }]\n${target('')}`,
      'FILE:1: webhooks[0].format: expected one of json, slack, received "xml"',
    ],
    ['a field that is there twice', target('    name: again\n'), 'FILE:5: the key "name" appears twice'],
    ['an alias that names nothing', target('    waivers: *nothing\n'), 'FILE:5: the alias *nothing is undefined'],
    ['an alias bomb', `${target('')}webhooks:\n${bomb()}`, 'FILE:13: its aliases expand to too much'],
    [
      'a key that is written out',
      'targets:\n  - name: a\n    baseUrl: https://x/v1\n    apiKey: secret-itself\n',
      'FILE:4: targets[0].apiKey: expected env:NAME or file:PATH; never the secret itself',
    ],
    [
      'a variable that is not set',
      'targets:\n  - name: a\n    baseUrl: https://x/v1\n    apiKey: env:NOPE\n',
      'FILE:4: targets[0].apiKey: the environment variable NOPE is not set',
    ],
    [
      'a base address with a password',
      'targets:\n  - name: a\n    baseUrl: https://u:p@x/v1\n    apiKey: env:KEY\n',
      'FILE:3: targets[0].baseUrl: expected an http or https address without user name, query or fragment, such as https://petstore.example.com/v1',
    ],
    [
      'listening for others without a token',
      `server:\n  host: 0.0.0.0\n${target('')}`,
      'FILE:2: server.host: others can reach "0.0.0.0": set server.tokens.read, or listen on 127.0.0.1',
    ],
    [
      'one name for two targets',
      `${target('')}  - name: production\n    baseUrl: https://x/v1\n    apiKey: env:KEY\n`,
      'FILE:5: targets[1].name: "production" is also the name of another one; give each a unique name',
    ],
    ['no targets', 'data:\n  folder: x\n', 'FILE:1: the file: the field "targets" is missing'],
    ['broken YAML', 'targets:\n  - name: "a\n', 'FILE:'],
  ] as const)('It names line and field of %s.', ([, text, wanted]) => {
    expect(problemsOf(text)).toContain(wanted);
  });
});

describe('secretOf', () => {
  test('A file is read again when it was replaced, and what was read last serves while it is away.', () => {
    const file = join(ownFolder(), 'secret');
    writeFileSync(file, 'first\n');
    const get = secretOf(`file:${file}`, {});
    expect(get()).toBe('first');
    writeFileSync(`${file}.new`, 'second\n');
    renameSync(`${file}.new`, file);
    expect(get()).toBe('second');
    renameSync(file, `${file}.away`);
    expect(get()).toBe('second');
  });
});

describe('fields of version 2', () => {
  const [CREATES, LEFT] = ['{ perDay: 4, lifetime: 2000 }', /^FILE:\d+: (\S+): (?:"\w+" )?was removed in version 3: \S.+$/];

  test('All that are gone are named at once, each with its line and what to do instead, beside other mistakes.', () => {
    const { problems } = loadText(`defaults:
  writes: true
  remindEvery: 4h
  alertOnChanges: [animal, flapping, certificate]
webhooks:
  - { name: pager, url: "https://events.pagerduty.com/v2/enqueue", format: pagerduty, secret: env:KEY }
  - { name: phone, url: "https://ntfy.sh/topic", format: ntfy }
targets:
  - { name: one, baseUrl: "https://petstore.example/v1", apiKey: env:KEY, writes: ${CREATES}, production: false }
  - { name: two, baseUrl: "https://petstore.example/v1", apiKey: env:KEY, interval: soon, writes: { perDay: none } }
`);
    const lines = problems.split('\n');
    expect(lines.flatMap((line) => LEFT.exec(line)?.[1] ?? [])).toEqual([
      'webhooks[0].format',
      'webhooks[1].format',
      'defaults.alertOnChanges[1]',
      'defaults.alertOnChanges[2]',
      'defaults.writes',
      'defaults.remindEvery',
      'targets[0].writes',
      'targets[0].production',
      'targets[1].writes',
    ]);
    expect(lines.filter((line) => !LEFT.test(line))).toEqual([expect.stringContaining('FILE:10: targets[1].interval: expected')]);
    expect(lines).toContain(
      'FILE:2: defaults.writes: was removed in version 3: the monitor creates nothing, in any configuration; let `run` judge creations where animals may stay, such as in staging',
    );
  });

  test.for([
    ['defaults.objective', 'defaults: { objective: 99.5 }'],
    ['defaults.depth', 'defaults: { depth: quick }'],
    ['server.token', 'server: { token: "env:TOKEN" }'],
    ['data.rawDays', 'data: { folder: data, rawDays: 30 }'],
  ] as const)('%s is one of them.', ([field, line]) => {
    const { problems } = loadText(`${line}\n${target('')}`);
    expect(LEFT.exec(problems)?.[1]).toBe(field);
  });

  test('A monitor does not start with them, and a running one that is told to read them keeps its configuration.', async () => {
    const [folder, { baseUrl }] = [ownFolder(), await startTarget()];
    const file = join(folder, 'monitor.yaml');
    const config = `server: { port: 0 }\ntargets:\n  - { name: one, baseUrl: "${baseUrl}", apiKey: env:KEY }\n`;
    const old = config.replace('env:KEY }', `env:KEY, writes: ${CREATES} }`);
    writeFileSync(file, old);
    for (const flags of [['--check-config'], []]) {
      const ended = await runProgram(['monitor', '--config', file, ...flags], { env: { KEY: 'an-api-key' } });
      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('targets[0].writes: was removed in version 3') });
    }
    const monitor = await startMonitor(config, folder);
    writeFileSync(file, old);
    const reloaded = await fetch(`${monitor.url}/-/reload`, { method: 'POST' });
    expect([reloaded.status, await reloaded.text()]).toEqual([400, expect.stringContaining('targets[0].writes: was removed')]);
    expect((await monitor.status()).targets.map(({ name }) => name)).toEqual(['one']);
  });

  test('The option that is gone with them ends with 2 and says why it is not needed.', async () => {
    const ended = await runProgram(['monitor', '--config', 'monitor.yaml', '--no-writes']);
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '`monitor --no-writes` was removed in version 3: leave it out; the monitor creates nothing, in any configuration',
      ),
    });
  });
});

test('The configuration of the deployment is right.', () => {
  const [, text = ''] = /monitor\.yaml: \|\n([\s\S]*?)---/.exec(readFileSync('deploy/kubernetes/monitor.yaml', 'utf8')) ?? [];
  const { problems } = loadText(text.replaceAll(/"?file:[^\s"]+"?/g, 'env:KEY'), { KEY: 'long-enough-for-a-token' });
  expect({ problems, read: text.includes('targets:') }).toEqual({ problems: '', read: true });
});

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
      ),
    );
    expect({ problems, warnings }).toEqual({ problems: '', warnings: '' });
    expect(config?.targets[0]?.waivers.map(({ id }) => id)).toEqual(['get.not-found', 'list.unique']);
  });

  test.for([
    [
      'a check of the canary',
      '{ id: get.durable/canary, reason: the owner cleans up, expires: 2027-01-31 }',
      'FILE:6: targets[0].waivers[0]: the waiver of get.durable/canary is for a check of the canary, which was removed in version 3: remove the entry',
    ],
    [
      'an id that there is not',
      '{ id: get.notfound, reason: known, expires: 2027-01-31 }',
      'FILE:6: targets[0].waivers[0]: the waiver of get.notfound matches no clause (did you mean get.',
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
    expect(unknown.stderr).toContain(`${file}:6: targets[0].waivers[0]: the waiver of list.uniq matches no clause`);
  });
});
