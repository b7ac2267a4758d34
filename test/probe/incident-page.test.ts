import { expect, test } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';

test('The page of a target shows the timeline of its outage, and so does the feed.', async () => {
  const [target, receiver] = [await startTarget(), await startReceiver()];
  const monitor = await startMonitor(
    `server: { port: 0, publicUrl: "https://status.example/pets/" }
data: { folder: data }
webhooks: [{ name: on-call, url: "${receiver.url}" }]
targets:
  - { name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 5s, latencyLimit: 10s }
`,
    ownFolder(),
  );
  const details = monitor.output;
  await until('it is up', async () => (await monitor.health()) === 'up', { details });
  target.set('nonsense');
  await until('it is told', () => receiver.messages.length === 1, { details });
  // The person on call sees the clause in the message and in the log, and gets to the page of the target at once.
  expect(JSON.parse(receiver.messages[0]?.body ?? '')).toMatchObject({
    clause: 'record.pets',
    link: 'https://status.example/pets/?target=production',
  });
  expect(details()).toMatch(/ firing: production: record\.pets, schema: /);
  target.set('well');
  await until('the end is told', () => receiver.messages.length === 2, { details });
  const page = async (query: string): Promise<string> => (await fetch(`${monitor.url}/${query}`)).text();
  await until('the page tells of it', async () => ((await page('?target=production')).match(/Notified on-call/g) ?? []).length === 2, {
    details,
  });
  const shown = await page('?target=production');
  expect(shown).toMatch(/<li id="run-\d+">.*<span class="pill down">fail<\/span> \d+ ms <code>record\.pets<\/code> \(schema\)/);
  for (const word of ['First seen', 'Confirmed', 'Resolved after', 'Request and response', 'GET /v1/pets', 'oops'])
    expect(shown).toContain(word);
  expect(await page('?target=production&public')).not.toContain('oops');
  const feed = await fetch(`${monitor.url}/feed.atom?target=production`);
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  expect((await feed.text()).match(/<title>production: (firing|resolved)/g)).toHaveLength(2);
  expect((await fetch(`${monitor.url}/feed.atom?target=nobody`)).status).toBe(404);
});
