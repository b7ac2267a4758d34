import { expect, test } from 'vitest';
import { ownFolder } from '../support/program.ts';
import { startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';

test('An outage is sent with a link to the page of its target, which shows what is broken, and after it what was.', async () => {
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
  expect(details()).toMatch(/ level=warn target=production msg="firing: record\.pets, schema: /);
  const page = async (query: string): Promise<string> => (await fetch(`${monitor.url}/${query}`)).text();
  async function expectShown(section: string): Promise<void> {
    await until(`the page has: ${section}`, async () => (await page('?target=production')).includes(`aria-label="${section}"`), {
      details,
    });
    const shown = await page('?target=production');
    expect(shown).toMatch(/<\/time> <span class="pill down">fail<\/span> \d+ ms <code>record\.pets<\/code> \(invalid body\)/);
    for (const word of ['Request and response', 'GET /v1/pets', 'oops', 'curl -sS -i']) expect(shown).toContain(word);
    expect(await page('?target=production&public')).not.toContain('oops');
  }
  await expectShown('Failing');
  target.set('well');
  await until('the end is told', () => receiver.messages.length === 2, { details });
  await expectShown('Last failure');
});
