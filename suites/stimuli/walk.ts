// Requests of all kinds in any order, some at the same time: reveals requests that affect others only in a mixture.
import fc from 'fast-check';
import { anyInvalidBody } from '../../src/arbitraries/invalid-bodies.ts';
import { nearCredentials } from '../../src/arbitraries/near-credentials.ts';
import { plainStatuses } from '../../src/arbitraries/valid-requests.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../src/clause/limits.ts';
import { statusOf } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';

const SEQUENCES = 20;
const MOST_STEPS = 8;
const AT_A_TIME = 8;
const MOST_AT_ONCE = 5;
const WATCHED = 12;
/** Near misses of the API key are a bounded list: the suite does not guess keys. */
const MOST_CREDENTIALS = 24;
/** The maximum number of animals that sequences with creations leave, including those of accepted invalid bodies. */
const MOST_ANIMALS = 8;

type Step = (s: Session) => Promise<unknown>;

function steps(s: Session): fc.Arbitrary<Step> {
  const ids = [...s.knowledge.seen.values()].slice(-WATCHED).map(({ id }) => id);
  const limit = fc.option(fc.constantFrom(1, DEFAULT_LIMIT, LARGEST_LIMIT), { nil: undefined });
  const status = fc.option(fc.constantFrom(...PET_STATUSES), { nil: undefined });
  const list = fc.tuple(limit, status).map(([most, only]): Step => {
    const parameters = { ...(most === undefined ? {} : { limit: most }), ...(only === undefined ? {} : { status: only }) };
    return ({ api }) => api.list(parameters);
  });
  const read = fc.constantFrom(...ids).map(
    (id): Step =>
      ({ api }) =>
        api.get(id),
  );
  let left = MOST_CREDENTIALS;
  const reject = nearCredentials(s.options.apiKey).map(
    (credential): Step =>
      async ({ api }) => {
        left -= 1;
        return left < 0 ? undefined : api.list({ limit: 1 }, { credential: { ...credential, standing: 'refused' } });
      },
  );
  return fc.oneof({ weight: 4, arbitrary: list }, { weight: 4, arbitrary: read }, { weight: 1, arbitrary: reject });
}

function writes(): fc.Arbitrary<Step> {
  let left = MOST_ANIMALS;
  const create = plainStatuses().map(
    (status): Step =>
      async ({ api, fixtures }) => {
        left -= 1;
        if (left < 0) return;
        await api.create({ value: await fixtures.plain(status) }, { domain: 'plain' });
      },
  );
  const reject = anyInvalidBody().map(
    ({ body, clause }): Step =>
      async ({ api, fixtures }) => {
        if (left <= 0) return;
        const exchange = await api.create({ raw: body(await fixtures.plain()) }, { domain: 'invalid', clause });
        if (statusOf(exchange) === 201) left -= 1;
      },
  );
  const read = fc.nat({ max: WATCHED - 1 }).map(
    (place): Step =>
      async ({ api, knowledge }) => {
        const created = [...knowledge.created.values()];
        const animal = created.at(-1 - (place % Math.max(1, created.length)));
        return animal === undefined ? undefined : api.get(animal.id);
      },
  );
  return fc.oneof(create, reject, read);
}

const together = (step: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.array(step, { minLength: 2, maxLength: MOST_AT_ONCE }).map(
    (all): Step =>
      (s) =>
        Promise.all(all.map((one) => one(s))),
  );

async function walk(s: Session, step: fc.Arbitrary<Step>): Promise<void> {
  const sequences = fc.sample(fc.array(step, { minLength: 2, maxLength: MOST_STEPS }), {
    numRuns: s.cases(SEQUENCES),
    seed: s.options.seed,
  });
  for (let from = 0; from < sequences.length && !s.outOfTime(); from += AT_A_TIME) {
    await s.all(sequences.slice(from, from + AT_A_TIME), async (sequence) => {
      for (const one of sequence) await one(s);
    });
  }
}

export async function walkReading(s: Session): Promise<void> {
  if (s.knowledge.seen.size > 0) await walk(s, steps(s));
}

export async function walkWriting(s: Session): Promise<void> {
  if (s.knowledge.seen.size === 0) return;
  const step = fc.oneof({ weight: 1, arbitrary: steps(s) }, { weight: 1, arbitrary: writes() });
  await walk(s, fc.oneof({ weight: 4, arbitrary: step }, { weight: 1, arbitrary: together(step) }));
}
