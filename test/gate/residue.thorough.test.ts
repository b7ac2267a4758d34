import { describe, expect, test } from 'vitest';
import { BARE_NAMES } from '../../suites/tables/names.ts';
import { PATHS } from '../../suites/tables/paths.ts';
import { type Attacker, conformingUntil, message, type RawRequest } from '../hostile/attacker.ts';
import { type JudgedProgram, runJudged } from '../support/program.ts';

const KEY = 'residue-run-key-0123456789';

type Recording = {
  readonly server: Attacker;
  readonly requests: readonly Pick<RawRequest, 'method' | 'target' | 'headers' | 'body'>[];
  /** Requests that create an animal, whatever their body. */
  posts(): readonly Pick<RawRequest, 'body' | 'headers'>[];
};

type RecordingOptions = {
  /** Stores what it should reject: returns 201 to every POST, whatever its body and its sender. */
  readonly storesAll?: boolean;
  /** Closes the connection instead of responding; nothing is stored. */
  readonly losesResponses?: (request: RawRequest, post: number) => boolean;
  /** The initial number of animals; 7 by default. */
  readonly seedAnimals?: number;
};

/** A conforming server that records everything it receives. */
async function startRecording(options: RecordingOptions = {}): Promise<Recording> {
  const requests: RawRequest[] = [];
  const posts = () => requests.filter(({ method }) => method === 'POST');
  let id = 1_000_000;
  const server = await conformingUntil(
    (request, genuine) => {
      requests.push(request);
      if (request.method === 'POST' && options.losesResponses?.(request, posts().length) === true) request.socket.destroy();
      else if (request.method === 'POST' && options.storesAll === true) {
        id += 1;
        request.socket.write(message('201 Created', `{"id":${id},"name":"kept","categoryId":1,"status":"sold"}`));
      } else genuine();
    },
    { apiKey: KEY, ...(options.seedAnimals === undefined ? {} : { seedAnimals: options.seedAnimals }) },
  );
  return { server, requests, posts };
}

const OPTIONS = ['--timeout', '2000', '--depth', 'quick', '--consistency-window', '200'];

type Ran = Recording & {
  readonly ended: JudgedProgram;
  readonly animals: { created: { id: string; name: string }[]; ambiguous: string[] };
};

async function run(args: readonly string[], options: RecordingOptions = {}): Promise<Ran> {
  const recording = await startRecording(options);
  const ended = await runJudged({ args: ['run', '--base-url', recording.server.baseUrl, ...OPTIONS, ...args], apiKey: KEY });
  await recording.server.close();
  const { animals } = JSON.parse(ended.reports['report.json'] ?? '{"animals":{"created":[],"ambiguous":[]}}') as Ran;
  return { ...recording, ended, animals };
}

function nameIn(body: Buffer): string | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' ? value.name : undefined;
  } catch {
    return undefined;
  }
}

const MAKING = { apiKey: KEY, seed: 1, rowNumber: 1, runTag: 'tests', categoryId: 1n, knownIds: [1n], cookies: [] };
const BARE = new Set(
  Object.values(BARE_NAMES).map(({ make }) => String(JSON.parse(make({ ...MAKING, plainName: 'a'.repeat(20), random: () => 0 }) ?? '""'))),
);

/** A name that is special as a whole, with any digits: the few that can't carry the prefix. */
const isBare = (name: string): boolean => BARE.has(name) || /^-?\d+(?:e5)?$/.test(name);

/** Spellings of the path that are not the documented one. */
const CREATE_PATHS = Object.values(PATHS.values)
  .map(({ make }) => make({ ...MAKING, plainName: '', random: () => 0 })('/pets'))
  .filter((path) => path !== '/pets');

const isFourth = (_request: unknown, post: number): boolean => post % 4 === 0;

describe('a run', () => {
  test('that is read-only sends nothing but GET', async () => {
    const { requests, ended, animals } = await run(['--read-only']);
    expect(requests.length).toBeGreaterThan(20);
    expect([...new Set(requests.map(({ method }) => method))], ended.output).toEqual(['GET']);
    expect(animals.created).toEqual([]);
  });

  test('that writes only sends GET, and POST to /pets', async () => {
    const { requests, posts, ended } = await run([]);
    expect([...new Set(requests.map(({ method }) => method))].sort(), ended.output).toEqual(['GET', 'POST']);
    const targets = [...new Set(posts().map((post) => 'target' in post && String(post.target).replace(/\?.*/, '')))];
    // Other spellings of the path are tried only without the API key.
    expect(targets.filter((target) => !CREATE_PATHS.some((path) => target === `/v1${path}`))).toEqual(['/v1/pets']);
  });

  test('never creates more animals than allowed, and reports each by id, under the prefix', async () => {
    const { posts, ended, animals } = await run(['--max-creates', '30']);
    expect(ended.exit, ended.output).not.toBe(2);
    expect(animals.created.length).toBeGreaterThan(0);
    expect(animals.created.length).toBeLessThanOrEqual(30);
    for (const { id, name } of animals.created) {
      expect(id).toMatch(/^-?\d+$/);
      if (!name.startsWith('(') && !isBare(name)) expect(name.toLowerCase()).toContain('conformance');
    }
    const named = posts().map(({ body }) => nameIn(body));
    expect(named.filter((name) => name !== undefined && !isBare(name) && !name.toLowerCase().includes('conformance'))).toEqual([]);
  });

  test('counts what a faulty service stores in spite of its faults', async () => {
    const { posts, ended } = await run(['--max-creates', '25'], { storesAll: true });
    expect(ended.exit, ended.output).toBe(1);
    expect(posts().length).toBeLessThanOrEqual(25);
  });

  test('sends no creation again whose response was lost, and reports it as possibly created where lists are full', async () => {
    const { posts, ended, animals } = await run(['--max-creates', '40'], { losesResponses: isFourth, seedAnimals: 150 });
    expect(ended.exit, ended.output).toBe(1);
    const bodies = posts().map(({ body }) => body.toString());
    const again = bodies.filter((body, index) => {
      const lost = (index + 1) % 4 === 0;
      return lost && /^conformance/i.test(nameIn(Buffer.from(body)) ?? '') && bodies.indexOf(body, index + 1) !== -1;
    });
    expect(again).toEqual([]);
    expect(animals.ambiguous.length).toBeGreaterThan(0);
    expect(posts().length).toBeGreaterThanOrEqual(animals.ambiguous.length);
    expect(animals.created.length + animals.ambiguous.length).toBeLessThanOrEqual(40);
  });

  test('does not report a creation as possible that a list of all animals does not show', async () => {
    const { posts, animals } = await run(['--max-creates', '40'], { losesResponses: isFourth });
    expect(animals.ambiguous.length).toBeLessThan(Math.floor(posts().length / 4));
  });
});
